/** Name of the event that tests an endpoint; receivers may ignore it. */
export const TEST_EVENT = 'webhook.test'

/** A body with every field of a status event, about a request that does not exist. */
export const testEventBody = (now: number): string =>
  JSON.stringify({
    event: TEST_EVENT,
    timestamp: now,
    data: {
      status: 'success',
      inTxHashes: [`0x${'11'.repeat(32)}`],
      txHashes: [`0x${'22'.repeat(32)}`],
      updatedAt: now,
      originChainId: 8453,
      destinationChainId: 42161,
      depositAddress: null,
      requestId: `0x${'00'.repeat(32)}`,
      referrer: null,
      details: null,
      failReason: 'N/A',
      refundFailReason: 'N/A',
    },
  })
