/** Words of the operators' console. */
export const console = {
  title: 'Console',
}
