CREATE TABLE customers (
  id bigint PRIMARY KEY,
  name text NOT NULL,
  phone text,            -- 手机号，国际格式
  created timestamptz DEFAULT now()
);
CREATE INDEX customers_phone ON customers (phone);
