import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testPermitKills } from './permitKills.js'

testPermitKills(EVERY_PLACE.signatures)
