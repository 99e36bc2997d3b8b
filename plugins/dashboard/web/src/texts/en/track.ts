/** Words of the page that says where a transfer is. */
export const track = {
  title: 'Where is my transfer?',
}
