class MuxueRag < Formula
  desc "Search your folders by words and meaning, in Chinese and English, offline"
  homepage "https://github.com/someone/muxue_rag"
  version "1.2.3"
  license "MIT"

  on_macos do
    on_arm do
      url "https://github.com/someone/muxue_rag/releases/download/v1.2.3/muxue_rag-1.2.3-macos-arm64.tar.gz"
      sha256 "3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a"
    end
    on_intel do
      url "https://github.com/someone/muxue_rag/releases/download/v1.2.3/muxue_rag-1.2.3-macos-x64.tar.gz"
      sha256 "2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/someone/muxue_rag/releases/download/v1.2.3/muxue_rag-1.2.3-linux-arm64.tar.gz"
      sha256 "1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a"
    end
    on_intel do
      url "https://github.com/someone/muxue_rag/releases/download/v1.2.3/muxue_rag-1.2.3-linux-x64.tar.gz"
      sha256 "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"
    end
  end

  def install
    bin.install "muxue_rag"
  end

  test do
    assert_equal "muxue_rag #{version}", shell_output("#{bin}/muxue_rag --version").strip
  end
end
