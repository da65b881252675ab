/** A row of the patient search. */
export const mariaRow = {
  id: 5,
  code: 'P0000005',
  firstName: 'MARIA',
  middleName: null,
  lastName: 'LOPEZ',
  birthDate: '1961-03-04',
  gender: 'FEMALE',
  ssn: '***-**-1234',
  clientId: 1,
  clientName: 'LAKE CARE',
  clientWebAccess: true,
  unit: null,
  room: null,
  bed: null,
};
