; The installer of the desktop app for Windows, for everybody who uses a computer.
;   makensis -DVERSION=0.1.0 -DBUNDLE=dist/lab-portal -DOUT=lab-portal-setup.exe lab-portal.nsi
;   lab-portal-setup.exe /S /PORTAL="https://portal.lab.example" /D=C:\Programs\Lab Portal
; /S installs silently, /PORTAL= (in quotes) sets the portal of this computer, and /D= (last, without
; quotes) the folder. The uninstaller takes /S, and /PURGE to remove the settings of this computer too.
; Exit codes: 0, 2 (the app runs), 3 (a bad address), and 4 (the settings cannot be protected).
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
!define UNPROTECTED 4 ; exit code: everybody could change the settings of the computer

; Settings of this computer, which override a person's.
!define SETTINGS "$APPDATA\${NAME}"
!define SETTINGS_FILE "${SETTINGS}\desktop.json"
!define SYSTEM "S-1-5-18"
!define ADMINISTRATORS "S-1-5-32-544"
!define USERS "S-1-5-32-545"
!define IS_LINK 0x400 ; FILE_ATTRIBUTE_REPARSE_POINT

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

; Puts the SID of a file's owner into $R0; an empty text if it cannot be read.
!macro ReadOwner PATH
  StrCpy $R0 ""
  System::Call 'advapi32::GetNamedSecurityInfoW(w "${PATH}", i 1, i 1, *p .R1, p 0, p 0, p 0, *p .R2) i .R3'
  ${If} $R3 == 0
    System::Call 'advapi32::ConvertSidToStringSidW(p R1, *p .R4) i .R5'
    ${If} $R5 != 0
      System::Call '*$R4(&w128 .R0)'
      System::Call 'kernel32::LocalFree(p R4)'
    ${EndIf}
    System::Call 'kernel32::LocalFree(p R2)'
  ${EndIf}
!macroend

; Runs a program of Windows and puts its exit code into $R1.
!macro RunTool COMMAND
  nsExec::Exec '"$SYSDIR\${COMMAND}'
  Pop $R1
!macroend

; Lets only administrators change the settings of the computer. Everybody may create folders in
; ProgramData, and has all rights in what he creates.
!macro ProtectSettings
  ; A link would give another folder these rights.
  System::Call 'kernel32::GetFileAttributesW(w "${SETTINGS}") i .R1'
  IntOp $R2 $R1 & ${IS_LINK}
  ${If} $R1 != -1
  ${AndIf} $R2 != 0
    RMDir "${SETTINGS}"
  ${EndIf}
  CreateDirectory "${SETTINGS}"
  !insertmacro RunTool 'takeown.exe" /A /F "${SETTINGS}"'
  ; The rights that somebody added go first, then the inherited ones.
  !insertmacro RunTool 'icacls.exe" "${SETTINGS}" /reset'
  ${If} $R1 == 0
    !insertmacro RunTool 'icacls.exe" "${SETTINGS}" /inheritance:r /grant:r *${SYSTEM}:(OI)(CI)F /grant:r *${ADMINISTRATORS}:(OI)(CI)F /grant:r *${USERS}:(OI)(CI)RX'
  ${EndIf}
  ${If} $R1 != 0
    SetErrorLevel ${UNPROTECTED}
    MessageBox MB_OK|MB_ICONSTOP "The folder ${SETTINGS} cannot be protected. Remove it, and try again." /SD IDOK
    Quit
  ${EndIf}
  ; A file of somebody else was not written by an administrator.
  ${If} ${FileExists} "${SETTINGS_FILE}"
    !insertmacro ReadOwner "$PLUGINSDIR"
    StrCpy $R6 $R0
    !insertmacro ReadOwner "${SETTINGS_FILE}"
    ${If} $R0 == "${SYSTEM}"
    ${OrIf} $R0 == "${ADMINISTRATORS}"
    ${OrIf} $R0 == $R6
    ${AndIf} $R0 != ""
      !insertmacro RunTool 'takeown.exe" /A /F "${SETTINGS_FILE}"'
      !insertmacro RunTool 'icacls.exe" "${SETTINGS_FILE}" /reset'
    ${Else}
      Delete "${SETTINGS_FILE}.rejected"
      Rename "${SETTINGS_FILE}" "${SETTINGS_FILE}.rejected"
    ${EndIf}
  ${EndIf}
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

  InitPluginsDir
  !insertmacro ProtectSettings
  !insertmacro RemoveFiles
  SetOutPath "$INSTDIR"
  File /r "${BUNDLE}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${PROGRAM}"

  ; Existing settings stay.
  ${If} $PORTAL != ""
  ${AndIfNot} ${FileExists} "${SETTINGS_FILE}"
    FileOpen $2 "${SETTINGS_FILE}" w
    FileWrite $2 '{"portalUrl": "$PORTAL"}$\r$\n'
    FileClose $2
    ; By a policy of Windows, the account that installs may own it otherwise, and the app ignores it.
    !insertmacro RunTool 'takeown.exe" /A /F "${SETTINGS_FILE}"'
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
    Delete "${SETTINGS_FILE}"
    Delete "${SETTINGS_FILE}.rejected"
  ${EndIf}
  RMDir "${SETTINGS}"
  DeleteRegKey HKLM "Software\Classes\labportal"
  DeleteRegKey HKLM "${UNINSTALL}"
  DeleteRegKey HKLM "${KEY}"
SectionEnd
