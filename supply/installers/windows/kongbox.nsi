; The installer for Windows, compiled by makensis:
;   STAGE    the folder with what is laid down
;   VERSION  of Kongbox
;   OUT      the installer that is made
;   SIZE     of what is laid down and installed, in KB
;   PYTHON   defined if Python is in STAGE
; It installs for the one who opens it, without an administrator, over an older version or not.

Unicode true
Target amd64-unicode
ManifestDPIAware true
SetFont "Segoe UI" 11
SetCompressor lzma
SetDateSave off
RequestExecutionLevel user

!include MUI2.nsh

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Kongbox"
!define CONSOLE "Console\Kongbox"

Name "Kongbox"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Kongbox"
BrandingText "Kongbox ${VERSION}"
ShowInstDetails show
ShowUninstDetails nevershow

VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Kongbox"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Installs Kongbox"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define MUI_ICON "${STAGE}/kongbox.ico"
!define MUI_UNICON "${STAGE}/kongbox.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${STAGE}/side.bmp"
!define MUI_WELCOMEPAGE_TITLE "Kongbox reads mahjong tiles and keeps the score"
!define MUI_WELCOMEPAGE_TEXT "It is installed for you alone; no administrator is asked for.$\r$\n$\r$\nIf Kongbox is open, close its window first. What your club has entered with an older version stays as it is.$\r$\n$\r$\nPress Install. It takes a minute or two."
!define MUI_INSTFILESPAGE_FINISHHEADER_TEXT "Kongbox is installed"
!define MUI_FINISHPAGE_TITLE "Kongbox is installed"
!define MUI_FINISHPAGE_TEXT "You find it on the desktop and in the start menu. It opens in your browser, beside a window that stays open while you play."
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_TEXT "Open Kongbox now"
!define MUI_FINISHPAGE_RUN_FUNCTION OpenKongbox
!define MUI_UNCONFIRMPAGE_TEXT_TOP "Kongbox is removed from this computer. What your club has entered is kept: the next page says where."
!define MUI_UNPAGE_CONFIRM_LOCATION "$INSTDIR"

!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; Windows lets nobody write to a program that runs.
!macro AskToClose
  ${Do}
    ClearErrors
    ${IfNot} ${FileExists} "$INSTDIR\python\python.exe"
      ${Break}
    ${EndIf}
    FileOpen $0 "$INSTDIR\python\python.exe" a
    ${IfNot} ${Errors}
      FileClose $0
      ${Break}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "Kongbox is open. Close its window, then press Retry." /SD IDCANCEL IDRETRY +3
      SetErrorLevel 3
      Quit
  ${Loop}
!macroend

Function .onInit
  !insertmacro AskToClose
FunctionEnd

Function un.onInit
  !insertmacro AskToClose
FunctionEnd

Function OpenKongbox
  ExecShell "" "$SMPROGRAMS\Kongbox.lnk"
FunctionEnd

Section
  DetailPrint "Unpacking. What takes longest comes after that."
  SetDetailsPrint none
  RMDir /r "$INSTDIR\parts"
  SetOutPath "$INSTDIR"
  File "${STAGE}/Kongbox.cmd"
  File "${STAGE}/prepare.cmd"
  File "${STAGE}/kongbox.ico"
  File "${STAGE}/uv.exe"
  File /r "${STAGE}/licences"
!ifdef PYTHON
  RMDir /r "$INSTDIR\python"
  File /r "${STAGE}/python"
!endif
  SetCompress off
  File /r "${STAGE}/parts"
  SetCompress auto
  SetDetailsPrint both

  WriteUninstaller "$INSTDIR\Uninstall.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Kongbox"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Kongbox"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\kongbox.ico"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1

  ; A console window that is opened with the title Kongbox gets large letters and room for the
  ; code: 28 lines of 86 characters, 24 pixels high.
  WriteRegStr HKCU "${CONSOLE}" "FaceName" "Consolas"
  WriteRegDWORD HKCU "${CONSOLE}" "FontFamily" 0x36
  WriteRegDWORD HKCU "${CONSOLE}" "FontSize" 0x00180000
  WriteRegDWORD HKCU "${CONSOLE}" "WindowSize" 0x001C0056
  WriteRegDWORD HKCU "${CONSOLE}" "ScreenBufferSize" 0x03E80056
  WriteRegDWORD HKCU "${CONSOLE}" "QuickEdit" 0

  StrCpy $1 '/c start "Kongbox" cmd /c .\Kongbox.cmd'
  CreateShortcut "$SMPROGRAMS\Kongbox.lnk" "$SYSDIR\cmd.exe" $1 "$INSTDIR\kongbox.ico" 0 SW_SHOWMINIMIZED "" "Read tiles, keep the score"
  CreateShortcut "$DESKTOP\Kongbox.lnk" "$SYSDIR\cmd.exe" $1 "$INSTDIR\kongbox.ico" 0 SW_SHOWMINIMIZED "" "Read tiles, keep the score"

  nsExec::ExecToLog '"$SYSDIR\cmd.exe" /c .\prepare.cmd'
  Pop $0
  ${If} $0 == 2
    MessageBox MB_OK|MB_ICONINFORMATION "Kongbox needs the internet once, and this computer is not connected. Connect it, then open Kongbox from the desktop: it goes on by itself." /SD IDOK
    SetErrorLevel 2
  ${ElseIf} $0 != 0
    MessageBox MB_OK|MB_ICONEXCLAMATION "Kongbox could not be put in place. Restart the computer, then open Kongbox from the desktop: it tries again, and says what is wrong." /SD IDOK
    SetErrorLevel 1
  ${EndIf}
SectionEnd

Section "Uninstall"
  Delete "$SMPROGRAMS\Kongbox.lnk"
  Delete "$DESKTOP\Kongbox.lnk"
  RMDir /r "$INSTDIR\python"
  RMDir /r "$INSTDIR\parts"
  RMDir /r "$INSTDIR\fetched"
  RMDir /r "$INSTDIR\licences"
  Delete "$INSTDIR\Kongbox.cmd"
  Delete "$INSTDIR\prepare.cmd"
  Delete "$INSTDIR\kongbox.ico"
  Delete "$INSTDIR\uv.exe"
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${CONSOLE}"
  ${If} ${FileExists} "$LOCALAPPDATA\kongbox\*.*"
    MessageBox MB_OK|MB_ICONINFORMATION "Kongbox is removed. What your club has entered is kept in the folder$\r$\n$\r$\n$LOCALAPPDATA\kongbox$\r$\n$\r$\nand is there again if you install Kongbox again. Delete the folder if nobody needs it any more." /SD IDOK
  ${EndIf}
SectionEnd
