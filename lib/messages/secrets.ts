import type { Texts } from "./texts.ts";

/** Texts about the secrets in a configuration and the keys that encrypt them. */
export const SECRETS = {
  config_plain_secret: {
    zh: "{place} {key}：密钥以明文写在文件中。可用 muxue_rag config encrypt {key} 加密，或改用 env:变量名",
    en:
      "{place} {key}: the file contains this secret in plain text. Encrypt it with muxue_rag config encrypt {key}, or use env:NAME",
  },
  config_plain_address: {
    zh: "{place} {key}：地址中含有明文密钥。建议改用 env:变量名",
    en: "{place} {key}: the address contains a secret in plain text. Use env:NAME instead",
  },
  config_encrypted_elsewhere: {
    zh: "只有 api_key 的值可以加密（enc:v1:…），此处请用 env:变量名",
    en: "only an api_key can be encrypted (enc:v1:…); use env:NAME here",
  },
  config_secret_version: {
    zh: "无法识别的加密格式，本程序只认 enc:v1:…",
    en: "unknown encryption format; this program only reads enc:v1:…",
  },
  config_secret_malformed: {
    zh: "加密的值不完整或已损坏。请检查是否完整复制，或用 muxue_rag config encrypt 重新加密",
    en:
      "the encrypted value is incomplete or damaged. Check that it was copied completely, or encrypt the key again with muxue_rag config encrypt",
  },
  config_secret_iterations: {
    zh: "加密的值要求 {count} 次口令迭代，超出 1 到 {limit} 的范围，已拒绝",
    en:
      "the encrypted value asks for {count} passphrase iterations, which is outside the range from 1 to {limit}, so it is refused",
  },
  config_secret_changed: {
    zh: "加密的值在加密之后被改动过，已拒绝。请用 muxue_rag config encrypt 重新加密",
    en:
      "the encrypted value was changed after it was encrypted, so it is refused. Encrypt the key again with muxue_rag config encrypt",
  },
  config_secret_other_key_file: {
    zh: "此值不是用密钥文件 {path} 加密的。请放回当时的密钥文件，或用 muxue_rag config encrypt 重新加密",
    en:
      "this value was not encrypted with the key file {path}. Put back the key file it was encrypted with, or encrypt the key again with muxue_rag config encrypt",
  },
  config_secret_other_passphrase: {
    zh:
      "MUXUE_RAG_PASSPHRASE 中的口令不是加密此值时的口令。请设为当时的口令，或用 muxue_rag config encrypt 重新加密",
    en:
      "the passphrase in MUXUE_RAG_PASSPHRASE is not the one this value was encrypted with. Set the right one, or encrypt the key again with muxue_rag config encrypt",
  },
  config_passphrase_missing: {
    zh: "此值是用口令加密的。请设置环境变量 MUXUE_RAG_PASSPHRASE",
    en: "this value was encrypted with a passphrase. Set the environment variable MUXUE_RAG_PASSPHRASE",
  },
  config_passphrase_short: {
    zh: "MUXUE_RAG_PASSPHRASE 中的口令太短，至少要 {min} 个字符。可以用几个不相干的词",
    en:
      "The passphrase in MUXUE_RAG_PASSPHRASE is too short. Use at least {min} characters, for example a few unrelated words",
  },
  config_key_folder_unknown: {
    zh:
      "找不到用户的配置目录，因此没有密钥文件。请用 MUXUE_RAG_CONFIG_DIR 指定该目录，或设置 MUXUE_RAG_PASSPHRASE",
    en:
      "the user's configuration folder, which contains the key file, is unknown. Set it with MUXUE_RAG_CONFIG_DIR, or set MUXUE_RAG_PASSPHRASE",
  },
  config_key_file_missing: {
    zh: "解密所需的密钥文件 {path} 不存在。请从加密时的机器复制过来，或用 muxue_rag config encrypt 重新加密",
    en:
      "the key file {path}, which is needed to decrypt this value, does not exist. Copy it from the machine where the value was encrypted, or encrypt the key again with muxue_rag config encrypt",
  },
  config_key_file_link: {
    zh: "密钥文件 {path} 是链接，未使用。请换成文件本身",
    en: "the key file {path} is a link, which is not followed. Replace it with the file itself",
  },
  config_key_file_not_regular: {
    zh: "{path} 不是普通文件，不能用作密钥文件",
    en: "{path} is not a regular file, so it cannot be the key file",
  },
  config_key_file_size: {
    zh:
      "密钥文件 {path} 已损坏：有 {size} 个字节，应为 {expected} 个。请恢复备份；没有备份则删除它并重新加密",
    en:
      "the key file {path} is damaged: it has {size} bytes instead of {expected}. Restore it from a backup, or delete it and encrypt again",
  },
  config_key_file_loose: {
    zh: '密钥文件 {path} 可被其他用户访问（权限 {mode}），未使用。请运行 chmod 600 "{path}"',
    en: 'the key file {path} is open to other users (mode {mode}), so it is not used. Run chmod 600 "{path}"',
  },
  config_key_file_unreadable: {
    zh: "无法读取密钥文件 {path}：{reason}",
    en: "cannot read the key file {path}: {reason}",
  },
  config_key_file_unwritable: {
    zh: "无法创建密钥文件 {path}：{reason}",
    en: "cannot create the key file {path}: {reason}",
  },
  index_key_damaged: {
    zh:
      "{path}（本程序用来识别自己所建索引的密钥）已损坏：有 {size} 个字节，应为 {expected} 个。请恢复备份；没有备份则删除它，各目录的索引会在下次处理时重建",
    en:
      "{path}, the key by which this installation recognizes its indexes, is damaged: it has {size} bytes instead of {expected}. Restore it from a backup, or delete it; each index is then rebuilt by its next run",
  },
  index_key_unreadable: {
    zh: "无法读取 {path}（本程序用来识别自己所建索引的密钥）：{reason}。请检查它的权限",
    en:
      "Cannot read {path}, the key by which this installation recognizes its indexes: {reason}. Check its permissions",
  },
  index_key_unwritable: {
    zh:
      "无法创建 {path}（本程序用来识别自己所建索引的密钥）：{reason}。请检查状态目录的权限，或用 MUXUE_RAG_STATE_DIR 另行指定",
    en:
      "Cannot create {path}, the key by which this installation recognizes its indexes: {reason}. Check the permissions of the state folder, or set another one with MUXUE_RAG_STATE_DIR",
  },
  secret_empty: { zh: "密钥为空", en: "The key is empty" },
  secret_encrypted_already: {
    zh: "输入的值已经加密（enc:…）。请输入密钥本身",
    en: "This value is already encrypted (enc:…). Enter the key itself",
  },
  secret_not_one_line: {
    zh: "密钥只能是一行文字，不能含换行或控制字符",
    en: "A key must be one line of text, without line breaks or control characters",
  },
  secret_too_long: {
    zh: "密钥过长，上限为 {limit} 字节",
    en: "The key is too long; the limit is {limit} bytes",
  },
  secret_no_file: {
    zh: "没有找到配置文件。请用 --config 指定，或先运行 muxue_rag config init",
    en: "No configuration file was found. Name one with --config, or create one with muxue_rag config init",
  },
  secret_not_in_file: {
    zh: "{path} 中没有 {key} 的值。请运行不带参数的 muxue_rag config encrypt，把得到的 enc:v1:… 写到该处",
    en:
      "{path} contains no value for {key}. Run muxue_rag config encrypt without an argument, and write the enc:v1:… that it prints there",
  },
  secret_is_reference: {
    zh: "{place} {key}：值引用了环境变量，文件中没有可加密的密钥",
    en: "{place} {key}: the value refers to an environment variable, so the file contains no key to encrypt",
  },
  secret_not_by_itself: {
    zh: "{place} {key}：无法就地加密。请把值直接写在键名后面，不用别名、不换行",
    en:
      "{place} {key}: cannot be encrypted in place. Write the value directly after its name, on one line and without an alias",
  },
  secret_not_encrypted: {
    zh: "{place} {key}：值没有加密",
    en: "{place} {key}: the value is not encrypted",
  },
} satisfies Texts;
