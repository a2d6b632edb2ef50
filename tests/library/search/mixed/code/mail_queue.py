import random


def next_try(attempt, base=30, limit=3600):
    """发送失败以后，下一次重试之前要等待的秒数：指数退避，加上随机抖动。"""
    wait = min(limit, base * 2 ** attempt)
    return wait / 2 + random.random() * wait / 2


def deliver(message, send):
    """最多尝试八次，仍然失败就放进死信队列。"""
    for attempt in range(8):
        if send(message):
            return True
        yield next_try(attempt)
    return False
