// Generated from shared/ by `npm run contract`; do not edit.

export interface ListQueries {
  '/api/v2/billing-information/bill-types/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'search' | 'column.id' | 'column.name';
  '/api/v2/diagnoses/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'search' | 'code' | 'date' | 'column.id' | 'column.code';
  '/api/v2/medications/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'search' | 'column.id' | 'column.name';
  '/api/v2/tests/remote-operations': 'clientId' | 'clientIds' | 'allTests' | 'skip' | 'take' | 'sort' | 'after' | 'search' | 'code' | 'preferred' | 'hasSingleValue' | 'column.id' | 'column.code' | 'column.name' | 'column.alternateNames';
  '/api/v2/clients/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'search' | 'ids' | 'clientIds' | 'physicianIds' | 'patientIds' | 'column.id' | 'column.code' | 'column.name';
  '/api/v2/physicians/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'firstName' | 'lastName' | 'npi' | 'search' | 'patientClientId' | 'clientIds' | 'ids' | 'column.id' | 'column.npi' | 'column.firstName' | 'column.lastName';
  '/api/v2/patients/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'firstName' | 'lastName' | 'birthDate' | 'ssn' | 'ids' | 'clientIds' | 'physicianIds' | 'patientIds' | 'fromSearch' | 'column.id' | 'column.code' | 'column.firstName' | 'column.lastName' | 'column.birthDate';
  '/api/v2/requisitions/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'startDate' | 'endDate' | 'client' | 'unit' | 'patient' | 'status' | 'signature' | 'ids' | 'clientIds' | 'patientIds' | 'physicianIds' | 'column.id' | 'column.code' | 'column.collectionDate' | 'column.patientLastName' | 'column.patientFirstName' | 'column.patientBirthDate' | 'column.clientId' | 'column.clientName' | 'column.unit' | 'column.room' | 'column.bed' | 'column.roomAndBed' | 'column.tests' | 'column.hasSignature' | 'column.status';
  '/api/v2/orders/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'startDate' | 'endDate' | 'client' | 'unit' | 'patient' | 'status' | 'criticalResults' | 'alertResults' | 'missingInfo' | 'awaitsCollection' | 'unread' | 'unreadByPhysician' | 'openTests' | 'allEntered' | 'ids' | 'clientIds' | 'patientIds' | 'physicianIds' | 'column.id' | 'column.codeValue' | 'column.orderDate' | 'column.orderCollectionDate' | 'column.patientLastName' | 'column.patientFirstName' | 'column.patientDoB' | 'column.clientId' | 'column.client' | 'column.unit' | 'column.patientRoom' | 'column.patientBed' | 'column.roomAndBed' | 'column.testNames' | 'column.status' | 'column.priority' | 'column.hasAlert' | 'column.hasAbnormal' | 'column.hasSignature' | 'column.acknowledgedBy' | 'column.onlineAckDateTime';
  '/api/v2/critical-results/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'status' | 'orderIds' | 'clientIds' | 'physicianIds' | 'column.id' | 'column.codeValue' | 'column.isOverdue' | 'column.status' | 'column.patientLastName' | 'column.patientFirstName' | 'column.patientDoB' | 'column.client';
  '/api/v2/autoverification/remote-operations': 'skip' | 'take' | 'sort' | 'after' | 'testIds' | 'column.id' | 'column.code' | 'column.name' | 'column.allowsAbnormal' | 'column.isOn';
  '/api/v2/tests/advanced-search': 'skip' | 'take' | 'sort' | 'after' | 'search' | 'column.id' | 'column.code' | 'column.name';
  '/api/v2/clients/advanced-search-clients': 'skip' | 'take' | 'sort' | 'after' | 'search' | 'clientIds' | 'physicianIds' | 'patientIds' | 'column.id' | 'column.name';
  '/api/v2/patients/sexual-orientations': 'skip' | 'take' | 'sort' | 'after' | 'search' | 'column.id';
  '/api/v2/patients/gender-identities': 'skip' | 'take' | 'sort' | 'after' | 'search' | 'column.id';
  '/api/v2/patients/advanced-search-patient-last-name': 'search' | 'skip' | 'take' | 'after';
  '/api/v2/patients/advanced-search-patient-first-name': 'search' | 'skip' | 'take' | 'after';
  '/api/v2/patients/advanced-search-patient-dob': 'search' | 'skip' | 'take' | 'after';
  '/api/v2/orders/advanced-search': 'query' | 'columns' | 'skip' | 'take' | 'sort' | 'after' | 'startDate' | 'endDate' | 'client' | 'unit' | 'patient' | 'status' | 'criticalResults' | 'alertResults' | 'missingInfo' | 'awaitsCollection' | 'unread' | 'unreadByPhysician' | 'openTests' | 'allEntered' | 'ids' | 'clientIds' | 'patientIds' | 'physicianIds' | 'column.code' | 'column.status' | 'column.collectionDate' | 'column.receivedDate' | 'column.lastName' | 'column.firstName' | 'column.birthDate' | 'column.client' | 'column.unit' | 'column.room' | 'column.bed' | 'column.hasAlert' | 'column.hasAbnormal' | 'column.signed' | 'column.acknowledgedDate';
  '/api/system/users': 'skip' | 'take' | 'sort' | 'after' | 'clientIds' | 'active' | 'role' | 'column.lastName' | 'column.firstName';
  '/api/v2/audit-events': 'skip' | 'take' | 'sort' | 'after' | 'startDate' | 'endDate' | 'user' | 'group' | 'outcome' | 'withoutUpkeep' | 'patient' | 'code';
  '/api/v2/clients/{client_id}/units/remote-operations': 'client_id' | 'skip' | 'take' | 'sort' | 'after' | 'search' | 'column.id' | 'column.name';
  '/api/v2/clients/{client_id}/rooms/remote-operations': 'client_id' | 'skip' | 'take' | 'sort' | 'after' | 'search' | 'column.id' | 'column.name';
  '/api/v2/clients/units/{unit_id}/rooms/remote-operations': 'unit_id' | 'skip' | 'take' | 'sort' | 'after' | 'search' | 'column.id' | 'column.name';
  '/api/v2/billing-information/payers/remote-operations/{bill_type_id}': 'bill_type_id' | 'allPayers' | 'skip' | 'take' | 'sort' | 'after' | 'search' | 'column.id' | 'column.name';
  '/api/v2/lab-data/{kind}': 'skip' | 'take' | 'sort' | 'after' | 'search' | 'parent';
}
