export interface CoverageCounts { failpoints: Record<string, number>; faults: Record<string, number>; actions: Record<string, number> }
export const newCoverage = (): CoverageCounts => ({ failpoints: {}, faults: {}, actions: {} })
