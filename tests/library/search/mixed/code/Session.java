/** A login session. It ends after thirty minutes without a request. */
public final class Session {
  private static final long IDLE_MILLIS = 30 * 60 * 1000L;
  private long lastSeen = System.currentTimeMillis();

  public boolean isExpired(long now) {
    return now - lastSeen > IDLE_MILLIS;
  }

  public void touch(long now) {
    lastSeen = now;
  }
}
