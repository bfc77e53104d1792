@echo off
rem Installs what lies in "parts" beside this file. The installer runs it, and so does the start of
rem Kongbox for as long as "parts" is there. Ends with 2 if Python cannot be fetched, else with 1.
setlocal
cd /d "%~dp0"
set "UV_NO_CONFIG=1"
set "UV_NO_CACHE=1"
set "UV_PYTHON_INSTALL_DIR=%CD%\fetched"
set "UV_PYTHON_INSTALL_BIN=0"
set "UV_PYTHON_INSTALL_REGISTRY=0"
if exist python\@KEY@ goto install
echo Fetching Python from the internet: about 25 MB, this once.
uv.exe python install @KEY@
if errorlevel 1 exit /b 2
if exist python rmdir /s /q python
move /y "fetched\@KEY@" python >nul
if errorlevel 1 exit /b 1
type nul > python\@KEY@
:install
echo Putting the parts of Kongbox in place. This takes a minute or two.
uv.exe pip sync --python python\python.exe --break-system-packages --offline --no-index --find-links parts --require-hashes --reinstall --compile-bytecode parts\kongbox.txt
if errorlevel 1 exit /b 1
if exist fetched rmdir /s /q fetched
rmdir /s /q parts
exit /b 0
