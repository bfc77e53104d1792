@echo off
rem Serves Kongbox on this computer for as long as its window is open.
title Kongbox - leave this window open while you play
cd /d "%~dp0"
if not exist parts goto start
echo.
echo  Kongbox is being put in place, this once. Please wait.
echo.
call prepare.cmd
if errorlevel 2 goto unconnected
if errorlevel 1 goto failed
cls
:start
echo.
echo  Leave this window open while you play. Closing it stops Kongbox.
echo  Nothing is lost: all that was entered is kept.
echo.
python\python.exe -I -c "from webapp.cli.main import main; main(prog_name='kongbox')"
if errorlevel 1 goto failed
exit /b 0
:unconnected
echo.
echo  This computer is not connected to the internet, which Kongbox needs this once.
echo  Connect it, close this window, and open Kongbox again.
goto wait
:failed
echo.
echo  Kongbox has stopped. If what stands above does not help, make a picture of this window for
echo  whoever helps you, and open Kongbox again.
:wait
echo.
pause
exit /b 1
