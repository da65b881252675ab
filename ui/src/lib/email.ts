const EMAIL =
  /^[^\s\p{C}\p{Z}@,:;<>()[\]"\\]+@[^\s\p{C}\p{Z}@,:;<>()[\]"\\.]+(\.[^\s\p{C}\p{Z}@,:;<>()[\]"\\.]+)+$/u;

/** One address with a whole domain; a list of them is none. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
