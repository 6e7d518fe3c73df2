package dev.holdfast.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One spelling for each place, whatever people write. No name is resolved: what an address means changes, an identifier must not. */
public final class Identifiers {
    private static final Map<String, Integer> USUAL_PORTS = Map.ofEntries(
            Map.entry("postgres", 5432),
            Map.entry("neo4j", 7687),
            Map.entry("mysql", 3306),
            Map.entry("mariadb", 3306),
            Map.entry("mongodb", 27017),
            Map.entry("redis", 6379),
            Map.entry("valkey", 6379),
            Map.entry("cassandra", 9042),
            Map.entry("cockroachdb", 26257),
            Map.entry("couchdb", 5984),
            Map.entry("elasticsearch", 9200),
            Map.entry("opensearch", 9200),
            Map.entry("influxdb", 8086),
            Map.entry("memcached", 11211),
            Map.entry("oracle", 1521),
            Map.entry("sqlserver", 1433),
            Map.entry("db2", 50000),
            Map.entry("rabbitmq", 5672),
            Map.entry("kafka", 9092),
            Map.entry("etcd", 2379));
    private static final Map<String, String> SAME_TYPE =
            Map.of("postgresql", "postgres", "mongo", "mongodb", "mssql", "sqlserver");

    /** A host has at most 180 characters here: its identifier is part of the name of a document. */
    private static final Pattern NAMED =
            Pattern.compile("(?<host>[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,178}[A-Za-z0-9_])?)\\.?(?::(?<port>[0-9]{1,5}))?");

    private static final Pattern BRACKETED =
            Pattern.compile("\\[(?<host>[0-9A-Fa-f:.]{2,45})](?::(?<port>[0-9]{1,5}))?");

    static final String LOCALHOST = "localhost";

    /** Addresses of one name; what has more is a service of many machines. */
    private static final int MAX_ADDRESSES = 32;

    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,10}(?:\\.[0-9]{1,10}){0,3}");

    private static final Set<String> LOOPBACK = Set.of(
            LOCALHOST,
            "localhost.localdomain",
            "localhost4",
            "localhost6",
            "ip6-localhost",
            "ip6-loopback",
            "127.0.0.1",
            "[0:0:0:0:0:0:0:1]");

    private Identifiers() {}

    /** The one name of a type of database. */
    public static String type(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        return SAME_TYPE.getOrDefault(lower, lower);
    }

    /** A host in lower case, with brackets around an IPv6 address, and the port if one was given. */
    public record Place(String host, OptionalInt port) {
        OptionalInt portFor(String type) {
            Integer usual = USUAL_PORTS.get(type);
            return port.isPresent() || usual == null ? port : OptionalInt.of(usual);
        }
    }

    /** The place this text means; empty if it means none. */
    public static Optional<Place> place(String text) {
        String trimmed = text.strip();
        boolean v6 = trimmed.indexOf(':') != trimmed.lastIndexOf(':');
        boolean bare = v6 && !trimmed.startsWith("[");
        Matcher matcher = (v6 ? BRACKETED : NAMED).matcher(bare ? "[" + trimmed + "]" : trimmed);
        return matcher.matches() ? place(matcher, v6) : Optional.empty();
    }

    /** The one spelling of a host: this machine is {@value #LOCALHOST}, and an IPv4 address has its four numbers. */
    public static String canonical(String host) {
        String address = IPV4.matcher(host).matches() ? dotted(host) : host;
        return LOOPBACK.contains(address) || address.endsWith(".localhost") ? LOCALHOST : address;
    }

    /** Whether a canonical host is an address, or this machine: then it stands for itself, and nothing needs to be asked. */
    public static boolean isAddress(String host) {
        return host.equals(LOCALHOST)
                || host.startsWith("[")
                || IPV4.matcher(host).matches();
    }

    /** Addresses, each in its one spelling, sorted. */
    public static List<String> canonical(List<String> addresses) {
        return addresses.stream()
                .limit(MAX_ADDRESSES)
                .map(address -> address.contains(":") && !address.startsWith("[") ? "[" + address + "]" : address)
                .map(Identifiers::canonical)
                .distinct()
                .sorted()
                .toList();
    }

    /** An IPv4 address with fewer than four parts, as everything that connects reads it: the last fills what is left. */
    private static String dotted(String host) {
        String[] parts = host.split("\\.", -1);
        long value = 0;
        for (int i = 0; i < parts.length; i++) {
            long part = Long.parseLong(parts[i]);
            int bits = i == parts.length - 1 ? 8 * (4 - i) : 8;
            if (part >= 1L << bits) {
                return host; // a name in digits, if anything
            }
            value = value << bits | part;
        }
        return (value >> 24) + "." + (value >> 16 & 255) + "." + (value >> 8 & 255) + "." + (value & 255);
    }

    private static Optional<Place> place(Matcher matcher, boolean v6) {
        String digits = matcher.group("port");
        OptionalInt port = digits == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(digits));
        if (port.isPresent() && (port.getAsInt() < 1 || port.getAsInt() > 65_535)) {
            return Optional.empty();
        }
        String host = matcher.group("host").toLowerCase(Locale.ROOT);
        if (!v6) {
            return host.contains("..") ? Optional.empty() : Optional.of(new Place(canonical(host), port));
        }
        try {
            // An address in digits is only parsed; nothing is asked.
            String address = InetAddress.getByName("[" + host + "]").getHostAddress();
            return Optional.of(new Place(canonical(address.contains(":") ? "[" + address + "]" : address), port));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
