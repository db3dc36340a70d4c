/** The words of what operators are alerted to. */
export const ALERT_TEXTS = {
  title: 'Alerts',
  note: 'What is or was wrong with the server. It is in the log, too, and told to a webhook where there is one.',
  reading: 'Reading the alerts',
  none: 'Nothing is wrong.',
  firing: 'Wrong now',
  ended: 'Has ended',
  columns: { kind: 'What', message: 'Details', since: 'Since', ended: 'Ended' },
  more: (count: string) => `Show all ${count}`,
  kinds: {
    disk: 'Disk',
    'error-rate': 'Failed requests',
    certificate: 'Certificate',
    wal: 'Write-ahead log',
    backup: 'Backup',
    counting: 'Counting of requests',
  },
  webhook: {
    title: 'Webhook',
    explained:
      'Each alert is sent to this address when it begins and when it ends, signed. What is not taken is tried again for a day.',
    reading: 'Reading where alerts are told',
    url: 'Address',
    hint: 'https://hooks.example.org/…',
    button: 'Set the webhook',
    made: 'Messages are signed by this secret. Give it to what takes them. It is shown this once.',
    label: 'the secret of the webhook',
    pending: 'Waiting',
    ofPending: (count: string) => `${count}, to be sent again`,
    last: 'Last message',
    noneYet: 'none yet',
    taken: 'taken',
    failed: 'not taken:',
    test: 'Send a test message',
    sent: 'The webhook took it.',
    renew: {
      button: 'Make a new secret',
      explained:
        'Messages are signed by the new secret and, for a day more, by the old one: change it there until then.',
    },
    remove: {
      button: 'Remove the webhook',
      explained: 'Alerts are told to no webhook then, and messages that wait are dropped.',
    },
  },
} as const
