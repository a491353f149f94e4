# Installs the standin program of one release: fetches it, checks its SHA-256 and puts it into a folder.
#   STANDIN_BASE_URL  where the files of the release are; known already in the copy that comes with a release
#   STANDIN_DIR       folder to install into; %LOCALAPPDATA%\standin unless given
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

# All of it is in a function, so that a script that is cut short on its way does nothing.
function Install-Standin {
  $url = if ($env:STANDIN_BASE_URL) { $env:STANDIN_BASE_URL } else { '@STANDIN_BASE_URL@' }
  if ($url.StartsWith('@')) {
    throw 'Cannot install standin: the address of the release is unknown; set STANDIN_BASE_URL to the address of its files'
  }
  $url = $url.TrimEnd('/')
  # Windows on ARM runs programs for x64.
  $name = 'standin-windows-x64.exe'
  $dir = if ($env:STANDIN_DIR) { $env:STANDIN_DIR } else { Join-Path $env:LOCALAPPDATA 'standin' }
  New-Item -ItemType Directory -Force -Path $dir | Out-Null
  $sums = Join-Path $dir ".sums-$PID"
  $part = Join-Path $dir ".standin-$PID.exe"
  try {
    Invoke-WebRequest -UseBasicParsing -Uri "$url/SHA256SUMS" -OutFile $sums
    $line = Get-Content $sums | Where-Object { ($_ -split '\s+')[1] -eq $name } | Select-Object -First 1
    if (-not $line) { throw "Cannot install standin: the release has no $name" }
    $wanted = ($line -split '\s+')[0]
    Invoke-WebRequest -UseBasicParsing -Uri "$url/$name" -OutFile $part
    $found = (Get-FileHash -Algorithm SHA256 -Path $part).Hash.ToLowerInvariant()
    if ($found -ne $wanted) {
      throw "Cannot install standin: the SHA-256 of $name is $found, and that of the release is $wanted; nothing was installed"
    }
    Move-Item -Force -Path $part -Destination (Join-Path $dir 'standin.exe')
  } finally {
    Remove-Item -Force -ErrorAction SilentlyContinue -Path $sums, $part
  }
  Write-Output "Installed $(Join-Path $dir 'standin.exe')"
  if (($env:PATH -split ';') -notcontains $dir) {
    Write-Output "Start it: $(Join-Path $dir 'standin.exe') serve; or add $dir to PATH"
  } else {
    Write-Output 'Start it: standin serve'
  }
}

Install-Standin
