import { SHORT_WALK } from '../faults/killPlaces.js'
import { testPermitKills } from './permitKills.js'

testPermitKills(SHORT_WALK.permits)
