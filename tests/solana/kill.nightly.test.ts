import { EVERY_PLACE } from '../faults/killPlaces.js'
import { testSolanaKills } from './solanaKills.js'

testSolanaKills(EVERY_PLACE.otherVms)
