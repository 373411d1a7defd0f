# Installs agentmd for this user:
#   irm https://github.com/agentmd/agentmd/releases/latest/download/install.ps1 | iex
# $env:AGENTMD_VERSION chooses a version, $env:AGENTMD_INSTALL_DIR the folder, $env:AGENTMD_BASE_URL another place of the
# archives. The archive is only unpacked if its checksum is right.
$ErrorActionPreference = 'Stop'

$version = if ($env:AGENTMD_VERSION) { $env:AGENTMD_VERSION } else { '@VERSION@' }
$folder = if ($env:AGENTMD_INSTALL_DIR) { $env:AGENTMD_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\agentmd' }
$base = if ($env:AGENTMD_BASE_URL) { $env:AGENTMD_BASE_URL } else { "https://github.com/agentmd/agentmd/releases/download/v$version" }

$machine = if ($env:PROCESSOR_ARCHITECTURE -eq 'ARM64') { 'aarch64' } else { 'x86_64' }
$name = "agentmd-$version-$machine-pc-windows-msvc"
$work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $work | Out-Null
try {
    foreach ($file in "$name.zip", "$name.zip.sha256") {
        Invoke-WebRequest -UseBasicParsing -Uri "$base/$file" -OutFile (Join-Path $work $file)
    }
    $archive = Join-Path $work "$name.zip"
    $sum = (Get-FileHash -Algorithm SHA256 $archive).Hash.ToLowerInvariant()
    $expected = ((Get-Content "$archive.sha256" -Raw) -split '\s+')[0]
    if ($sum -ne $expected) {
        throw "the checksum of $name.zip is wrong: $sum, not $expected. Nothing was installed."
    }
    Expand-Archive -Path $archive -DestinationPath $work
    New-Item -ItemType Directory -Force -Path $folder | Out-Null
    Copy-Item -Force (Join-Path $work "$name\agentmd.exe") (Join-Path $folder 'agentmd.exe')
} finally {
    Remove-Item -Recurse -Force $work
}
$path = [Environment]::GetEnvironmentVariable('Path', 'User')
if (($path -split ';') -notcontains $folder) {
    [Environment]::SetEnvironmentVariable('Path', "$path;$folder", 'User')
    Write-Output "$folder is in your PATH from the next shell on."
}
Write-Output "agentmd $version is in $folder"
