/** Node 20 optimises early and dearly; later versions have a cheap compiler for that, and do not know the setting. */
const LATE_OPTIMISATION = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : []

/**
 * What Node is told for a process that lives for seconds: it optimises code later, and begins with room for what a start allocates. A
 * host is ready after two thirds of the processor time; what it does is the same.
 */
export const SHORT_LIFE: readonly string[] = ['--min-semi-space-size=16', '--single-threaded-gc', ...LATE_OPTIMISATION]

/** The default of the service. */
const USUAL_POOL = 20

/**
 * Connections of a host of the harness. Each one plans every statement for itself, which costs more than the few transfers of a test;
 * a host of more than two chains needs the usual number.
 */
export const testPoolSize = (chains: number): number => (chains > 2 ? USUAL_POOL : 4)
