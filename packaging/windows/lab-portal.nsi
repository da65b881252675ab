; The installer of the desktop app for Windows, for everybody who uses a computer.
;   makensis -DVERSION=0.1.0 -DBUNDLE=dist/lab-portal -DOUT=lab-portal-setup.exe lab-portal.nsi
;   lab-portal-setup.exe /S /PORTAL="https://portal.lab.example" /D=C:\Programs\Lab Portal
; /S installs silently, /PORTAL= (in quotes) sets the portal of this computer, and /D= (last, without
; quotes) the folder. The uninstaller takes /S, and /PURGE to remove the settings of this computer too.
; -DSIGN=command signs the installer and the uninstaller: the command gets the file's path.

Unicode true
Target amd64-unicode
RequestExecutionLevel admin
ManifestDPIAware true
SetCompressor /SOLID lzma
!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"
!include "x64.nsh"

!define NAME "Lab Portal"
!define KEY "Software\Lab Portal"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Lab Portal"
!define PROGRAM "lab-portal.exe"
!define IN_USE 2 ; exit code: the app runs
!define BAD_PORTAL 3 ; exit code: not an address, or not in quotes

Var PORTAL

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$PROGRAMFILES64\${NAME}"
BrandingText "${NAME} ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "FileDescription" "Installer of ${NAME}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "The maintainers of the lab portal"

!define MUI_ICON "..\icons\lab-portal.ico"
!define MUI_UNICON "..\icons\lab-portal.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

!ifdef SIGN
  !finalize '${SIGN} "%1"'
  !uninstfinalize '${SIGN} "%1"'
!endif

; The app's own files. Everything else in the folder stays.
!macro RemoveFiles
  Delete "$INSTDIR\${PROGRAM}"
  ${If} ${FileExists} "$INSTDIR\${PROGRAM}"
    SetErrorLevel ${IN_USE}
    MessageBox MB_OK|MB_ICONEXCLAMATION "Close ${NAME}, and try again." /SD IDOK
    Quit
  ${EndIf}
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licenses"
!macroend

Function .onInit
  SetRegView 64
  SetShellVarContext all
  ; An upgrade goes where the app is, unless /D= names another folder.
  ReadRegStr $0 HKLM "${KEY}" "Folder"
  ${If} $0 != ""
  ${AndIf} $INSTDIR == "$PROGRAMFILES64\${NAME}"
    StrCpy $INSTDIR $0
  ${EndIf}
FunctionEnd

Section
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/PORTAL=" $PORTAL
  ${IfNot} ${Errors}
    StrCpy $1 $PORTAL 8
    StrLen $2 $PORTAL
    ${If} $1 != "https://"
    ${OrIf} $2 <= 8
      SetErrorLevel ${BAD_PORTAL}
      MessageBox MB_OK|MB_ICONSTOP "/PORTAL needs an address in quotes: $PORTAL" /SD IDOK
      Quit
    ${EndIf}
  ${EndIf}

  !insertmacro RemoveFiles
  SetOutPath "$INSTDIR"
  File /r "${BUNDLE}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${PROGRAM}"

  ; Settings of this computer, which override a person's. Existing ones stay.
  CreateDirectory "$APPDATA\Lab Portal"
  ${If} $PORTAL != ""
  ${AndIfNot} ${FileExists} "$APPDATA\Lab Portal\desktop.json"
    FileOpen $2 "$APPDATA\Lab Portal\desktop.json" w
    FileWrite $2 '{"portalUrl": "$PORTAL"}$\r$\n'
    FileClose $2
  ${EndIf}

  WriteRegStr HKLM "${KEY}" "Folder" "$INSTDIR"
  WriteRegStr HKLM "Software\Classes\labportal" "" "URL:${NAME}"
  WriteRegStr HKLM "Software\Classes\labportal" "URL Protocol" ""
  WriteRegStr HKLM "Software\Classes\labportal\DefaultIcon" "" "$INSTDIR\${PROGRAM},0"
  WriteRegStr HKLM "Software\Classes\labportal\shell\open\command" "" '"$INSTDIR\${PROGRAM}" "%1"'

  WriteRegStr HKLM "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayIcon" "$INSTDIR\${PROGRAM}"
  WriteRegStr HKLM "${UNINSTALL}" "Publisher" "The maintainers of the lab portal"
  WriteRegStr HKLM "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKLM "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKLM "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

Function un.onInit
  SetRegView 64
  SetShellVarContext all
FunctionEnd

Section "Uninstall"
  !insertmacro RemoveFiles
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR" ; stays if somebody put files there
  Delete "$SMPROGRAMS\${NAME}.lnk"
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/PURGE" $1
  ${IfNot} ${Errors}
    Delete "$APPDATA\Lab Portal\desktop.json"
  ${EndIf}
  RMDir "$APPDATA\Lab Portal"
  DeleteRegKey HKLM "Software\Classes\labportal"
  DeleteRegKey HKLM "${UNINSTALL}"
  DeleteRegKey HKLM "${KEY}"
SectionEnd
