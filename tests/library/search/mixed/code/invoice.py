from decimal import Decimal


def total(lines, tax=Decimal("0.13")):
    """计算发票的含税总额。lines：每一行的单价和数量。"""
    net = sum(price * count for price, count in lines)
    return (net * (1 + tax)).quantize(Decimal("0.01"))
