package dev.holdfast.server.dashboard;

/**
 * What of the dashboard is shown.
 *
 * @param enabled whether there is one at all
 * @param readOnly whether it offers only to look; what callers may do is decided by their roles, not by this
 */
public record DashboardOptions(boolean enabled, boolean readOnly) {}
