/** A unit that never wraps: 'mL/min/1.73 m2'. */
export const Unit = ({ children }: { children: string | null }) =>
  children ? <span className="nowrap">{children}</span> : null;
