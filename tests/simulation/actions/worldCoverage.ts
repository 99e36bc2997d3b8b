import { Coverage } from '../coverage.js'
import { ACTIONS, FAULTS } from './actions.js'

/** Nothing counted yet, of all that can happen in a world. */
export const worldCoverage = (): Coverage => new Coverage({ faults: FAULTS, actions: ACTIONS.map(({ name }) => name) })
