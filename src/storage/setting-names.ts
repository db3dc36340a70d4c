/**
 * Every setting that is kept in the control file, and whether a backup without secrets has it (`plain`): a new one is written
 * only once it stands here.
 */
export const SETTING_KINDS = {
  // Where alerts are told, which with many services lets anybody send there, and what signs them.
  alert_webhook: 'secret',
  alert_webhook_queue: 'secret',
  // What leads from the addresses of today's visitors to what is kept of them.
  'analytics-salt': 'secret',
  auto_index_off: 'plain',
  backup_outcomes: 'plain',
  provisioned: 'plain',
  quota: 'plain',
  setup_link: 'secret',
  traffic_added: 'plain',
  traffic_tidied: 'plain',
  ulid_floor_ms: 'plain',
} as const satisfies Readonly<Record<string, 'plain' | 'secret'>>

export type SettingName = keyof typeof SETTING_KINDS
