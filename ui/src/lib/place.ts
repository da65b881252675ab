/** Returns 'room - bed', or only the part that is known. */
export const formatRoomAndBed = (
  room: string | null | undefined,
  bed: string | null | undefined,
): string => [room, bed].filter(Boolean).join(' - ');
