const EMAIL =
  /^[^\s\p{C}\p{Z}@,:;<>()[\]"\\]+@[^\s\p{C}\p{Z}@,:;<>()[\]"\\.]+(\.[^\s\p{C}\p{Z}@,:;<>()[\]"\\.]+)+$/u;

/** Whether the text is one address with a full domain. A list of addresses is not. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
