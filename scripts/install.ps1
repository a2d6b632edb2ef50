<#
.SYNOPSIS
Installs muxue_rag for the current user: downloads the release for Windows, verifies its checksum, and puts the one
executable into a folder that it adds to the user's Path.
.PARAMETER Version
The release to install; the latest unless named.
.PARAMETER To
Where to; %LOCALAPPDATA%\Programs\muxue_rag unless named.
.PARAMETER From
Address where the files of a release lie, if not on GitHub.
.PARAMETER DryRun
Only says what would be done.
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
# the progress bar of Windows PowerShell makes downloads many times slower
$ProgressPreference = 'SilentlyContinue'
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

$Version = $Version -replace '^v', ''
if (-not $To) { $To = Join-Path $env:LOCALAPPDATA 'Programs\muxue_rag' }
if (-not [Environment]::Is64BitOperatingSystem) { throw 'There is no release for 32-bit Windows.' }

# Windows on ARM runs the x64 executable
$system = 'windows-x64'
$repository = 'OWNER/REPO'
if ($From) {
    $base = $From.TrimEnd('/')
} elseif ($repository -eq ('OWNER/' + 'REPO')) {
    throw 'This script names no repository: take the one of a release, or name the address of its files with -From.'
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
    # the list names every file of the release, so it also tells which version the latest is
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
    # a running program cannot be overwritten, but renamed; the next installation removes it
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
        Write-Output "Added $To to your Path: open a new terminal to use it."
    }
} finally {
    Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
}
