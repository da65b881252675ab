/** Returns 'room - bed', or the one that is known. */
export const formatRoomAndBed = (
  room: string | null | undefined,
  bed: string | null | undefined,
): string => [room, bed].filter(Boolean).join(' - ');
