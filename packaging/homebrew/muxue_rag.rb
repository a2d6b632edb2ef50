class MuxueRag < Formula
  desc "{{summary}}"
  homepage "{{homepage}}"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{download}}/muxue_rag-{{version}}-macos-arm64.tar.gz"
      sha256 "{{sha256 macos-arm64}}"
    end
    on_intel do
      url "{{download}}/muxue_rag-{{version}}-macos-x64.tar.gz"
      sha256 "{{sha256 macos-x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{download}}/muxue_rag-{{version}}-linux-arm64.tar.gz"
      sha256 "{{sha256 linux-arm64}}"
    end
    on_intel do
      url "{{download}}/muxue_rag-{{version}}-linux-x64.tar.gz"
      sha256 "{{sha256 linux-x64}}"
    end
  end

  def install
    bin.install "muxue_rag"
  end

  test do
    assert_equal "muxue_rag #{version}", shell_output("#{bin}/muxue_rag --version").strip
  end
end
