import { SHORT_WALK } from '../faults/killPlaces.js'
import { testSolanaKills } from './solanaKills.js'

testSolanaKills(SHORT_WALK.otherVms)
