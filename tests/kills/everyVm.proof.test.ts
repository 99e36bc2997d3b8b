import { SHORT_WALK } from '../faults/killPlaces.js'
import { testAccountKills } from './accountKills.js'

testAccountKills(SHORT_WALK.otherVms)
