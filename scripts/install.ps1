<#
.SYNOPSIS
Installs muxue_rag for the current user: downloads the release for Windows, verifies its checksum, copies the executable to
a folder, and adds the folder to the user's Path.
.PARAMETER Version
The version to install. Default: the latest release.
.PARAMETER To
The folder to install to. Default: %LOCALAPPDATA%\Programs\muxue_rag.
.PARAMETER From
Address of the files of a release, if they are not on GitHub.
.PARAMETER DryRun
Only prints what would be done.
#>
[CmdletBinding()]
param(
    [string]$Version = '',
    [string]$To = '',
    [string]$From = '',
    [switch]$DryRun
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
# The progress bar of Windows PowerShell makes downloads many times slower.
$ProgressPreference = 'SilentlyContinue'
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

$Version = $Version -replace '^v', ''
if (-not $To) { $To = Join-Path $env:LOCALAPPDATA 'Programs\muxue_rag' }
if (-not [Environment]::Is64BitOperatingSystem) { throw 'There is no release for 32-bit Windows.' }

# Windows on ARM runs the x64 executable.
$system = 'windows-x64'
$repository = 'OWNER/REPO'
if ($From) {
    $base = $From.TrimEnd('/')
} elseif ($repository -eq ('OWNER/' + 'REPO')) {
    throw 'This script names no repository. Use the script of a release, or name the address of its files with -From.'
} elseif ($Version) {
    $base = "https://github.com/$repository/releases/download/v$Version"
} else {
    $base = "https://github.com/$repository/releases/latest/download"
}

$work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $work | Out-Null
try {
    $list = Join-Path $work 'SHA256SUMS'
    Invoke-WebRequest -UseBasicParsing -Uri "$base/SHA256SUMS" -OutFile $list
    # The list names every file of the release, so it also shows the latest version.
    $line = Get-Content -LiteralPath $list |
        Where-Object { $_ -match "^[0-9a-f]{64}  muxue_rag-[0-9][^/]*-$system\.zip$" } |
        Select-Object -First 1
    if (-not $line) { throw "The release has nothing for $system." }
    $expected, $archive = $line -split '  ', 2
    $found = $archive -replace '^muxue_rag-', '' -replace "-$system\.zip$", ''
    if ($Version -and $Version -ne $found) { throw "Asked for version $Version, found $found." }

    if ($DryRun) {
        Write-Output "would download $base/$archive"
        Write-Output "would verify   sha256 $expected"
        Write-Output "would install  $To\muxue_rag.exe ($found)"
        return
    }

    Write-Output "Downloading muxue_rag $found for $system"
    $zip = Join-Path $work $archive
    Invoke-WebRequest -UseBasicParsing -Uri "$base/$archive" -OutFile $zip
    $actual = (Get-FileHash -LiteralPath $zip -Algorithm SHA256).Hash.ToLowerInvariant()
    if ($actual -ne $expected) {
        throw "$archive has the wrong checksum, so nothing was installed: expected $expected, found $actual."
    }
    Expand-Archive -LiteralPath $zip -DestinationPath $work
    $program = Join-Path $work 'muxue_rag.exe'
    & $program --version | Out-Null
    if ($LASTEXITCODE -ne 0) { throw 'The program does not start on this system, so nothing was installed.' }

    New-Item -ItemType Directory -Path $To -Force | Out-Null
    $target = Join-Path $To 'muxue_rag.exe'
    # A running program cannot be overwritten, but it can be renamed. The next installation removes it.
    $old = "$target.old"
    Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
    if (Test-Path -LiteralPath $target) { Move-Item -LiteralPath $target -Destination $old -Force }
    Move-Item -LiteralPath $program -Destination $target
    Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
    Write-Output "Installed $target"

    $path = [Environment]::GetEnvironmentVariable('Path', 'User')
    $folders = if ($path) { $path -split ';' } else { @() }
    if ($folders -notcontains $To) {
        [Environment]::SetEnvironmentVariable('Path', (@($folders | Where-Object { $_ }) + $To) -join ';', 'User')
        Write-Output "Added $To to your Path. Open a new terminal to use it."
    }
} finally {
    Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
}
