"""The tables of the sample company: a retailer of bicycles and outdoor equipment with a web shop and stores.

All amounts are in euros. A line's `line_total` is quantity * unit_price * (1 - discount), and an order's `total_amount`
the sum of its lines, to the cent. A cancelled order keeps no lines and has no amount, so sums need no filter.
"""

SCHEMA = """
CREATE TABLE countries (
    id INTEGER PRIMARY KEY,
    code CHAR(2) NOT NULL UNIQUE,
    name TEXT NOT NULL,
    region TEXT NOT NULL
);
CREATE TABLE stores (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    country_id INTEGER NOT NULL REFERENCES countries (id),
    opened_on DATE NOT NULL,
    floor_area_m2 INTEGER
);
CREATE TABLE employees (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    job_title TEXT NOT NULL,
    store_id INTEGER REFERENCES stores (id),
    manager_id INTEGER REFERENCES employees (id),
    email TEXT NOT NULL UNIQUE,
    hired_on DATE NOT NULL,
    left_on DATE,
    salary NUMERIC(10, 2) NOT NULL
);
CREATE TABLE categories (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    department TEXT NOT NULL
);
CREATE TABLE suppliers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country_id INTEGER NOT NULL REFERENCES countries (id),
    contact_name TEXT,
    email TEXT,
    lead_time_days INTEGER NOT NULL
);
CREATE TABLE products (
    id INTEGER PRIMARY KEY,
    sku VARCHAR(12) NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    category_id INTEGER NOT NULL REFERENCES categories (id),
    supplier_id INTEGER NOT NULL REFERENCES suppliers (id),
    price NUMERIC(10, 2) NOT NULL,
    cost NUMERIC(10, 2) NOT NULL,
    weight_kg REAL,
    launched_on DATE NOT NULL,
    active BOOLEAN NOT NULL,
    description TEXT,
    thumbnail BLOB
);
CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    segment TEXT NOT NULL,
    email TEXT,
    phone TEXT,
    city TEXT NOT NULL,
    country_id INTEGER NOT NULL REFERENCES countries (id),
    joined_on DATE NOT NULL,
    newsletter BOOLEAN NOT NULL
);
CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    channel TEXT NOT NULL,
    start_date DATE NOT NULL,
    end_date DATE NOT NULL,
    budget NUMERIC(10, 2)
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    channel TEXT NOT NULL,
    store_id INTEGER REFERENCES stores (id),
    employee_id INTEGER REFERENCES employees (id),
    campaign_id INTEGER REFERENCES campaigns (id),
    order_date DATE NOT NULL,
    status TEXT NOT NULL,
    total_amount NUMERIC(10, 2)
);
CREATE TABLE order_items (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    product_id INTEGER NOT NULL REFERENCES products (id),
    quantity INTEGER NOT NULL,
    unit_price NUMERIC(10, 2) NOT NULL,
    discount REAL NOT NULL,
    line_total NUMERIC(10, 2) NOT NULL
);
CREATE TABLE payments (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    method TEXT NOT NULL,
    amount NUMERIC(10, 2) NOT NULL,
    status TEXT NOT NULL,
    paid_at TIMESTAMP
);
CREATE TABLE shipments (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    carrier TEXT NOT NULL,
    tracking_number TEXT,
    shipped_date DATE NOT NULL,
    delivered_date DATE,
    shipping_cost NUMERIC(8, 2) NOT NULL
);
CREATE TABLE returns (
    id INTEGER PRIMARY KEY,
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    return_date DATE NOT NULL,
    quantity INTEGER NOT NULL,
    reason TEXT,
    refund_amount NUMERIC(10, 2) NOT NULL
);
CREATE TABLE inventory (
    id INTEGER PRIMARY KEY,
    store_id INTEGER NOT NULL REFERENCES stores (id),
    product_id INTEGER NOT NULL REFERENCES products (id),
    quantity INTEGER NOT NULL,
    reorder_level INTEGER NOT NULL,
    counted_on DATE,
    UNIQUE (store_id, product_id)
);
CREATE TABLE support_tickets (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    order_id INTEGER REFERENCES orders (id),
    employee_id INTEGER REFERENCES employees (id),
    subject TEXT NOT NULL,
    priority TEXT NOT NULL,
    status TEXT NOT NULL,
    opened_at TIMESTAMP NOT NULL,
    closed_at TIMESTAMP,
    satisfaction INTEGER,
    message TEXT NOT NULL
);
-- The till that sells these cards came with its own ideas about names.
CREATE TABLE "gift cards" (
    id INTEGER PRIMARY KEY,
    "Code" TEXT NOT NULL UNIQUE,
    "order" INTEGER NOT NULL REFERENCES orders (id),
    "Face Value" NUMERIC(8, 2) NOT NULL,
    balance NUMERIC(8, 2) NOT NULL,
    "issuedOn" DATE NOT NULL,
    "Gültig bis" DATE
);
"""

INDEXES = """
CREATE INDEX stores_country ON stores (country_id);
CREATE INDEX employees_store ON employees (store_id);
CREATE INDEX products_category ON products (category_id);
CREATE INDEX products_supplier ON products (supplier_id);
CREATE INDEX customers_country ON customers (country_id);
CREATE INDEX orders_customer ON orders (customer_id);
CREATE INDEX orders_date ON orders (order_date);
CREATE INDEX orders_store ON orders (store_id);
CREATE INDEX order_items_order ON order_items (order_id);
CREATE INDEX order_items_product ON order_items (product_id);
CREATE INDEX payments_order ON payments (order_id);
CREATE INDEX shipments_order ON shipments (order_id);
CREATE INDEX returns_order_item ON returns (order_item_id);
CREATE INDEX inventory_product ON inventory (product_id);
CREATE INDEX support_tickets_customer ON support_tickets (customer_id);
CREATE INDEX support_tickets_order ON support_tickets (order_id);
"""
