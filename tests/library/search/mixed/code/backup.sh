#!/bin/sh
# Dumps every database, encrypts the files and removes those older than 35 days.
set -eu
for db in $(psql -At -c 'select datname from pg_database where not datistemplate'); do
  pg_dump -Fc "$db" | gpg --encrypt --recipient ops > "/backup/$db-$(date +%F).gpg"
done
find /backup -name '*.gpg' -mtime +35 -delete
