const EMAIL = /^[^\s@,;<>()[\]"\\]+@[^\s@,;<>()[\]"\\.]+(\.[^\s@,;<>()[\]"\\.]+)+$/;

/** One address with a whole domain; a list of them is none. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
