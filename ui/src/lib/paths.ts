/** Every address of the portal. Records add their id as a matrix parameter (`buildMatrix`). */
export const paths = {
  login: '/login',
  home: '/secured/results/lab',
  advancedSearch: '/secured/results/advanced-search',
  orderResults: '/secured/results/order',
  cumulativeResults: '/secured/results/cumulative',
  criticalResults: '/secured/critical-results',
  resultEntry: '/secured/result-entry',
  resultEntryOrder: '/secured/result-entry/order',
  autoverification: '/secured/autoverification',
  resultExport: '/secured/result-export',
  requisitionSearch: '/secured/requisitions/search',
  requisitionForm: '/secured/requisitions/create',
  patientSearch: '/secured/patients/search',
  patientForm: '/secured/patients/form',
  users: '/secured/system/users',
} as const;
