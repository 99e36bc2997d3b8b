import { SHORT_WALK } from '../faults/killPlaces.js'
import { testSharedKills } from './sharedKills.js'

testSharedKills(SHORT_WALK.sharedFills)
