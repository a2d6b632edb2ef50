<#
.SYNOPSIS
Installs muxue_rag for the current user: downloads the release for Windows, verifies its checksum, copies the executable to
a folder, and adds the folder to the user's Path. The script of a clone installs the clone: it builds the executable, or, if that
is not possible or with -Launcher, writes a small script that starts the clone by Deno.
.PARAMETER Version
The version to install. Default: the latest release.
.PARAMETER To
The folder to install to. Default: %LOCALAPPDATA%\Programs\muxue_rag.
.PARAMETER From
Address of the files of a release, if they are not on GitHub.
.PARAMETER Launcher
In a clone: writes the script and builds nothing.
.PARAMETER DryRun
Only prints what would be done.
#>
[CmdletBinding()]
param(
    [string]$Version = '',
    [string]$To = '',
    [string]$From = '',
    [switch]$Launcher,
    [switch]$DryRun
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
# The progress bar of Windows PowerShell makes downloads many times slower.
$ProgressPreference = 'SilentlyContinue'
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

$Version = $Version -replace '^v', ''
if (-not $To) { $To = Join-Path $env:LOCALAPPDATA 'Programs\muxue_rag' }
# Path needs the full path.
$To = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($To)
if (-not [Environment]::Is64BitOperatingSystem) { throw 'There is no release for 32-bit Windows.' }

# Windows on ARM runs the x64 executable.
$system = 'windows-x64'
$repository = 'OWNER/REPO'
$denoVersion = '2.9.6'
$clone = if ($PSScriptRoot) { Split-Path -Parent $PSScriptRoot } else { '' }
$isClone = $repository -eq ('OWNER/' + 'REPO') -and -not $From -and -not $Version -and $clone -and
    (Test-Path -LiteralPath (Join-Path $clone 'main.ts')) -and (Test-Path -LiteralPath (Join-Path $clone 'deno.json'))
$base = ''
if ($isClone) {
    if (-not (Get-Command npx -ErrorAction SilentlyContinue)) { throw 'npx is needed, a part of Node.js.' }
} elseif ($From) {
    $base = $From.TrimEnd('/')
} elseif ($repository -eq ('OWNER/' + 'REPO')) {
    throw 'This script names no repository. Use the script of a release, or name the address of its files with -From.'
} elseif ($Version) {
    $base = "https://github.com/$repository/releases/download/v$Version"
} else {
    $base = "https://github.com/$repository/releases/latest/download"
}

# Moves a program into the folder, and removes the other kind of program from it.
function Install-Program([string]$Program) {
    New-Item -ItemType Directory -Path $To -Force | Out-Null
    $target = Join-Path $To (Split-Path -Leaf $Program)
    foreach ($name in 'muxue_rag.exe', 'muxue_rag.cmd') {
        $existing = Join-Path $To $name
        # A running program cannot be overwritten, but it can be renamed. The next installation removes it.
        Remove-Item -LiteralPath "$existing.old" -Force -ErrorAction SilentlyContinue
        if (Test-Path -LiteralPath $existing) { Move-Item -LiteralPath $existing -Destination "$existing.old" -Force }
    }
    Move-Item -LiteralPath $Program -Destination $target
    foreach ($name in 'muxue_rag.exe', 'muxue_rag.cmd') {
        Remove-Item -LiteralPath (Join-Path $To "$name.old") -Force -ErrorAction SilentlyContinue
    }
    Write-Output "Installed $target"

    $path = [Environment]::GetEnvironmentVariable('Path', 'User')
    $folders = if ($path) { $path -split ';' } else { @() }
    if ($folders -notcontains $To) {
        [Environment]::SetEnvironmentVariable('Path', (@($folders | Where-Object { $_ }) + $To) -join ';', 'User')
        Write-Output "Added $To to your Path. Open a new terminal to use it."
    }
    Write-Output 'Next: muxue_rag setup --dir FOLDER, which connects your AI assistants to a folder'
}

# Builds the executable of the clone in the folder $Work. Returns its path, or nothing if it cannot be built.
function Build-Clone([string]$Work) {
    Write-Host 'Building muxue_rag for windows x64'
    Push-Location -LiteralPath $clone
    try {
        $ErrorActionPreference = 'Continue'
        & npx -y "deno@$denoVersion" task -q compile --target x86_64-pc-windows-msvc --out $Work *> (Join-Path $Work 'log')
        if ($LASTEXITCODE -ne 0) { return }
    } finally {
        Pop-Location
    }
    $made = Get-ChildItem -LiteralPath $Work -Filter 'muxue_rag-*.exe' | Select-Object -First 1
    Rename-Item -LiteralPath $made.FullName -NewName 'muxue_rag.exe'
    Join-Path $Work 'muxue_rag.exe'
}

# Writes a script that starts the clone by Deno. Deno's own path is faster than npx, but npm may remove it.
function Write-Launcher([string]$Work) {
    $deno = (& npx -y "deno@$denoVersion" eval --no-config 'console.log(Deno.execPath())' | Select-Object -Last 1) -replace '%', '%%'
    $run = "task -q --config ""$((Join-Path $clone 'deno.json') -replace '%', '%%')"" start %*"
    $file = Join-Path $Work 'muxue_rag.cmd'
    $lines = '@echo off', 'setlocal', 'set "INIT_CWD=%CD%"', "if not exist ""$deno"" goto npx", """$deno"" $run", 'exit /b %ERRORLEVEL%',
        ':npx', "npx -y deno@$denoVersion $run"
    # cmd reads a script in the code page of the console. It takes a byte order mark, which WriteAllLines adds to UTF-8, for a
    # command.
    [IO.File]::WriteAllBytes($file, [Console]::OutputEncoding.GetBytes(($lines -join "`r`n") + "`r`n"))
    $file
}

$work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $work | Out-Null
try {
    if ($isClone) {
        if ($DryRun) {
            if (-not $Launcher) { Write-Output 'would build    the executable for windows x64; if that fails:' }
            Write-Output "would write    a script that starts $clone"
            Write-Output "would install  $To\muxue_rag"
            return
        }
        $program = if ($Launcher) { $null } else { Build-Clone $work }
        if (-not $program) {
            if (-not $Launcher) {
                Write-Output "The executable cannot be built here, so a script that starts $clone is installed. The reason:"
                Get-Content -LiteralPath (Join-Path $work 'log') -Tail 3 | ForEach-Object { Write-Output "  $_" }
            }
            $program = Write-Launcher $work
        }
        & $program --version | Out-Null
        if ($LASTEXITCODE -ne 0) { throw 'The program does not start on this system, so nothing was installed.' }
        Install-Program $program
        return
    }

    $list = Join-Path $work 'SHA256SUMS'
    Invoke-WebRequest -UseBasicParsing -Uri "$base/SHA256SUMS" -OutFile $list
    if (-not (Select-String -LiteralPath $list -Pattern '^[0-9a-f]{64}  ' -Quiet)) {
        throw "$base/SHA256SUMS is no list of checksums. Is that the address of a release?"
    }
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

    Install-Program $program
} finally {
    Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
}
