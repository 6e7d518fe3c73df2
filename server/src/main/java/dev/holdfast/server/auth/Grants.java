package dev.holdfast.server.auth;

import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What somebody may do, by namespace. What is not granted is denied. Immutable; any thread may ask.
 *
 * @param roles the roles in each namespace; {@value #EVERYWHERE} stands for all namespaces, also those to come
 */
public record Grants(Map<String, Set<Role>> roles) {
    /** Stands for all namespaces. */
    public static final String EVERYWHERE = "*";
    /** Nothing at all. */
    public static final Grants NONE = new Grants(Map.of());
    /** Everything, everywhere. */
    public static final Grants ALL = everywhere(Role.ADMIN);

    /** A token travels in a header; no honest one names more. */
    static final int MAX_NAMESPACES = 1_000;

    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    /** Checks the namespaces, and copies. */
    public Grants {
        if (roles.size() > MAX_NAMESPACES) {
            throw new IllegalArgumentException(
                    "roles name " + roles.size() + " namespaces, at most " + MAX_NAMESPACES + " are allowed");
        }
        Map<String, Set<Role>> copy = new LinkedHashMap<>();
        roles.forEach((namespace, granted) -> copy.put(checked(namespace), Set.copyOf(granted)));
        roles = Map.copyOf(copy);
    }

    /** These roles in all namespaces. */
    public static Grants everywhere(Role... roles) {
        return in(EVERYWHERE, roles);
    }

    /** These roles in one namespace. */
    public static Grants in(String namespace, Role... roles) {
        return new Grants(Map.of(namespace, Set.of(roles)));
    }

    /**
     * Reads grants as they are spelled in configuration and tokens.
     *
     * @throws IllegalArgumentException naming the namespace or role that cannot be
     */
    public static Grants spelled(Map<String, ? extends Collection<String>> spelled) {
        Map<String, Set<Role>> roles = new LinkedHashMap<>();
        spelled.forEach((namespace, names) -> roles.put(
                namespace, names.stream().map(name -> role(namespace, name)).collect(Collectors.toUnmodifiableSet())));
        return new Grants(roles);
    }

    /** Whether {@code wanted} is granted in this namespace. */
    public boolean may(Role wanted, String namespace) {
        return grants(wanted, namespace) || mayEverywhere(wanted);
    }

    /** Whether {@code wanted} is granted in at least one namespace; the answer must then be narrowed by {@link #may}. */
    public boolean mayAnywhere(Role wanted) {
        return roles.keySet().stream().anyMatch(namespace -> grants(wanted, namespace));
    }

    /** Whether {@code wanted} is granted in all namespaces: what acts on the whole server asks this. */
    public boolean mayEverywhere(Role wanted) {
        return grants(wanted, EVERYWHERE);
    }

    private boolean grants(Role wanted, String namespace) {
        for (Role role : roles.getOrDefault(namespace, Set.of())) {
            if (role.implies(wanted)) {
                return true;
            }
        }
        return false;
    }

    private static String checked(String namespace) {
        if (!namespace.equals(EVERYWHERE) && !NAMESPACE.matcher(namespace).matches()) {
            throw new IllegalArgumentException("namespace '" + Shown.safely(namespace)
                    + "' must be '*' or 1 to 64 of letters, digits, '_', '.', '-'");
        }
        return namespace;
    }

    private static Role role(String namespace, String name) {
        return Role.spelled(name)
                .orElseThrow(() -> new IllegalArgumentException("role '" + Shown.safely(name) + "' for namespace '"
                        + Shown.safely(namespace) + "' is not one of " + Role.spellings()));
    }

    /** By namespace, in a fixed order. */
    @Override
    public String toString() {
        return roles.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry ->
                        entry.getKey() + "=" + (entry.getValue().isEmpty() ? "[]" : EnumSet.copyOf(entry.getValue())))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
