import { SHORT_WALK } from './killPlaces.js'
import { testKillPoints } from './killPoints.js'

testKillPoints(SHORT_WALK.transfers)
