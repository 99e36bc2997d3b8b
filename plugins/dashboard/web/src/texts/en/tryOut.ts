/** Words of the sandbox's page. */
export const tryOut = {
  title: 'Try a transfer',
}
