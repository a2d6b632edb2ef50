/** Texts about databases that collections are kept in, and about servers that find the nearest vectors. */
import type { Texts } from "./texts.ts";

export const STORE = {
  store_unavailable: [
    "无法访问数据库 {address}：{reason}。请确认它正在运行，且本机可以连接，然后重试",
    "The database {address} cannot be reached: {reason}. Check that it is running and that this machine may connect to it, then try again",
  ],
  store_slow: [
    "数据库 {address} 在 {seconds} 秒内没有回答。请检查它的负载和网络，然后重试",
    "The database {address} did not answer within {seconds} seconds. Check its load and the network, then try again",
  ],
  store_password_wrong: [
    "数据库 {address} 不接受用户 {user} 的密码。请检查 store.password 和 store.url 中的用户名",
    "The database {address} does not accept the password of the user {user}. Check store.password, and the user in store.url",
  ],
  store_login_refused: [
    "数据库 {address} 拒绝用户 {user} 登录：{reason}。请检查 store.url 中的用户名，以及服务器的 pg_hba.conf",
    "The database {address} refused the login of the user {user}: {reason}. Check the user in store.url, and pg_hba.conf on the server",
  ],
  store_database_missing: [
    "服务器上没有数据库 {address}。请创建它（createdb），或改正 store.url",
    "There is no database {address} on the server. Create it (createdb), or correct store.url",
  ],
  store_schema_missing: [
    "数据库 {address} 的模式 {schema} 中缺少本程序的表：{reason}。请检查 store.schema；如果表被删除了，请重新建立索引：muxue_rag index{-c}",
    "The schema {schema} of the database {address} lacks tables of this program: {reason}. Check store.schema; if they were deleted, build the index again: muxue_rag index{-c}",
  ],
  index_missing_elsewhere: [
    "{elsewhere} 中还没有 {path} 的索引。请在有这些文件的机器上建立，或检查 store.url、store.schema 和集合的名称",
    "{elsewhere} has no index of {path} yet. Build it on the machine that has the files, or check store.url, store.schema and the name of the collection",
  ],
  store_disk_full: [
    "数据库 {address} 的磁盘已满，未能写入；原有内容保持不变。请在服务器上腾出空间后重试",
    "The disk of the database {address} is full, so nothing was written; what it had is unchanged. Free some space on the server and try again",
  ],
  store_read_only: [
    "数据库 {address} 只能读取，可能是只读副本。要写入，请把 store.url 指向主服务器",
    "The database {address} can only be read; it may be a replica. To write, point store.url at the primary server",
  ],
  store_permission_denied: [
    "用户 {user} 在数据库 {address} 中没有所需的权限：{reason}。请由数据库的所有者授予",
    "The user {user} lacks a right in the database {address}: {reason}. Have the owner of the database grant it",
  ],
  store_too_many_connections: [
    "数据库 {address} 的连接数已满。请减小 store.pool，或在服务器上增大 max_connections，或使用 pgbouncer",
    "The database {address} has no free connection. Reduce store.pool, raise max_connections on the server, or use pgbouncer",
  ],
  store_tls_missing: [
    "数据库 {address} 不提供 TLS，因此不会连接：其他机器上的数据库必须加密并验证。请在服务器上启用 ssl，或通过 SSH 隧道连接 127.0.0.1",
    "The database {address} offers no TLS, so it is not used: databases on other machines must be encrypted and verified. Turn on ssl on the server, or connect to 127.0.0.1 through an SSH tunnel",
  ],
  store_tls_not_verified: [
    "无法验证数据库 {address} 的证书：{reason}。请把签发它的 CA 证书（PEM）写入 store.tls.ca，并使用证书中的主机名",
    "The certificate of the database {address} cannot be verified: {reason}. Name the certificate of its CA (PEM) in store.tls.ca, and use the host name that the certificate has",
  ],
  store_ca_unreadable: [
    "无法读取 store.tls.ca 指定的证书 {path}：{reason}。请检查路径和权限",
    "The certificate {path} of store.tls.ca cannot be read: {reason}. Check the path and its permissions",
  ],
  store_name_missing: [
    "{path} 在数据库中没有名称。请在配置中为它命名：collections.名称.path，或设置 store.collection",
    "{path} has no name in the database. Give it one in the configuration: collections.NAME.path, or store.collection",
  ],
  store_name_shared: [
    "{one} 和 {other} 在同一个数据库中都叫 {name}，后建立的索引会替换先建立的。请在配置中给它们不同的名称（collections 或 store.collection）",
    "{one} and {other} both have the name {name} in one database, so that the index of one would replace that of the other. Give them different names in the configuration (collections, or store.collection)",
  ],
  store_newer: [
    "模式 {schema} 中的表由较新版本的程序创建（{version}，本程序只到 {known}）。请在这台机器上升级 muxue_rag",
    "The tables in the schema {schema} were made by a newer program (version {version}, this one knows {known}). Update muxue_rag on this machine",
  ],
  store_reader_foreign: [
    "{reader} 不是数据库 {address} 的副本。请改正 store.readers",
    "{reader} is not a replica of the database {address}. Correct store.readers",
  ],
  store_index_replaced: [
    "读取数据库 {address} 中的索引时，它已被另一个进程替换。请重试",
    "The index in the database {address} was replaced by another process while it was read. Try again",
  ],
  store_lock_lost: [
    "对数据库的写入权在这次运行中失效（例如连接中断过久），另一个进程可能已经接手。原有索引保持不变，请重试",
    "The right to write to the database was lost during this run, for example because the connection was broken for too long, and another process may have taken over. The index is unchanged; try again",
  ],
  cli_index_joined: [
    "另一个进程正在索引同一集合：{dir}。本进程分担其中的新文件，等它结束后再更新一次",
    "Another process is indexing the same collection: {dir}. This one takes a share of the new files, waits until the other one has finished, and then updates the index",
  ],
  cli_doctor_store: ["数据库", "Database"],
  cli_doctor_store_is: [
    "PostgreSQL {server}，表的版本 {tables}，索引 {size}，待删除 {retired}",
    "PostgreSQL {server}, version {tables} of the tables, index {size}, to be removed {retired}",
  ],
  cli_doctor_store_pgvector: ["pgvector {pgvector}", "pgvector {pgvector}"],
  cli_doctor_store_without_pgvector: ["没有 pgvector", "without pgvector"],
  cli_doctor_store_replica: ["只读副本", "a replica, which can only be read"],
  cli_doctor_store_pgvector_old: [
    "这个版本的 pgvector 有已知错误，请升级到 {soundFrom} 或更新的版本",
    "this pgvector has known errors: update it to {soundFrom} or later",
  ],
  cli_doctor_store_without_roles: [
    "缺少角色 {roles}，各令牌可见的集合只由程序、不由数据库限制：请按指南 team-server 一页的说明创建",
    "the roles {roles} are missing, so only the program and not the database separates the collections of tokens: create them as the guide says on the page team-server",
  ],
  export_exists: ["文件已存在：{path}。请换一个路径", "The file already exists: {path}. Choose another path"],
  export_failed: [
    "无法写入 {path}：{error}。请检查权限，或用 --to 指定其他位置",
    "Cannot write {path}: {error}. Check the permissions, or name another place with --to",
  ],
  import_damaged: [
    "{name} 不是导出的数据，或已损坏、不完整（{problem}）。原有索引保持不变。请重新导出后再试",
    "{name} is not an export, or it is damaged or incomplete ({problem}). The index stays as it was. Export the collection again",
  ],
  import_outdated: [
    "{name} 由索引格式不同的版本导出（{problem}）。请在两台机器上使用同一版本的本程序",
    "{name} was exported by a version with another format of indexes ({problem}). Use the same version of the program on both machines",
  ],
  import_older: [
    "{dir} 的索引（{current}）比 {name}（{time}）新，未做任何改动。如确定要替换，请加 --force",
    "The index of {dir} ({current}) is newer than {name} ({time}), so nothing was changed. To replace it all the same, add --force",
  ],
  vectors_unavailable: [
    "无法访问向量服务器 {address}（{reason}）",
    "The vector server {address} cannot be reached ({reason})",
  ],
  vectors_refused: [
    "向量服务器 {address} 拒绝了请求（{reason}）。请检查 vectors.url、vectors.provider 和 vectors.api_key",
    "The vector server {address} refused a request ({reason}). Check vectors.url, vectors.provider and vectors.api_key",
  ],
  vectors_compared_here: [
    "{problem}。这次由程序逐一比较了向量：结果相同，只是较慢",
    "{problem}. The program compared the vectors itself this time: the results are the same, but it takes longer",
  ],
  vectors_not_sent: [
    "{problem}。索引已完成，但没有发送向量；下次运行会补上",
    "{problem}. The index is complete, but its vectors were not sent; the next run makes up for it",
  ],
  vectors_on_server: ["{address}：可用", "{address}: works"],
} satisfies Texts;
