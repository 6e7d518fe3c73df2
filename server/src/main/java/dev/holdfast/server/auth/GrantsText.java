package dev.holdfast.server.auth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Grants as they are written in configuration, tokens and answers. */
public final class GrantsText {
    private GrantsText() {}

    /** The roles in each scope, both in a fixed order. */
    public static Map<String, List<String>> of(Grants grants) {
        Map<String, List<String>> spelled = new TreeMap<>();
        grants.roles()
                .forEach((scope, roles) -> spelled.put(
                        scope, roles.stream().sorted().map(Role::spelling).toList()));
        return spelled;
    }

    public static Grants united(List<Grants> all) {
        if (all.size() == 1) {
            return all.get(0);
        }
        Map<String, TreeSet<String>> union = new LinkedHashMap<>();
        for (Grants grants : all) {
            of(grants)
                    .forEach((scope, roles) ->
                            union.computeIfAbsent(scope, key -> new TreeSet<>()).addAll(roles));
        }
        Map<String, List<String>> spelled = new LinkedHashMap<>();
        union.forEach((scope, roles) -> spelled.put(scope, new ArrayList<>(roles)));
        return Grants.spelled(spelled);
    }
}
