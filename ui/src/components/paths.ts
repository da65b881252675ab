/** Where a requisition is made and edited (O 2.3): several features lead there. */
export const REQUISITION_FORM_PATH = '/secured/requisitions/create';
