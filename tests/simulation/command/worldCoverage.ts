import { ACTIONS, FAULTS } from '../actions/actions.js'
import { Coverage } from '../coverage.js'

/** Counts of nothing so far, against all that a simulated world can do. */
export const openCoverage = (): Coverage => new Coverage({ faults: FAULTS, actions: ACTIONS.map(({ name }) => name) })
