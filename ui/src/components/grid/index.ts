export { DataGrid, type DataGridProps } from './DataGrid';
export type { GridColumn } from './types';
export { useGrid, type Grid } from './useGrid';
