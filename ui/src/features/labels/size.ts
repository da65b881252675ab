/** The size of labels as people read it: '2 x 1 in'. */
export const formatSize = (size: string): string => `${size.replace('x', ' x ')} in`;
