/** English words without a meaning of content, which translations leave out. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the of to in on at by for from with as into onto upon about over under between and or nor but if so than that
  this these those it its is are was were be been being am do does did done have has had having will would shall
  should can could may might must not no he she they them his her their him we us our you your i me my who whom whose
  which what when where why how there here etc sb sth one's oneself one some any such other very also only up down out
  off`.split(/\s+/),
);
