package dev.holdfast.guard.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.App;
import dev.holdfast.guard.Identifiers;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.resource.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is one and the same thing to stop")
class TopologyTest {

    @Test
    @DisplayName("however a host is written, it has one identifier")
    void oneSpelling() {
        for (String host : List.of("db1", "DB1", "db1.", "db1:5432", " Db1.:5432 ")) {
            assertThat(of(app("a", use("PostgreSQL", host))).units().keySet())
                    .as(host)
                    .containsExactly("db1:5432");
        }
        assertThat(of(app("a", use("postgres", "fe80::1"))).units().keySet())
                .containsExactly("[fe80:0:0:0:0:0:0:1]:5432");
        assertThat(of(app("a", use("postgres", "[FE80:0::1]:5432"))).units().keySet())
                .containsExactly("[fe80:0:0:0:0:0:0:1]:5432");
        assertThat(of(app("a", use("postgres", "10.1"))).units().keySet()).containsExactly("10.0.0.1:5432");
    }

    @Test
    @DisplayName("this machine is one host, however it is written")
    void loopback() {
        for (String host : List.of(
                "localhost",
                "LocalHost.",
                "127.0.0.1",
                "127.1",
                "2130706433",
                "::1",
                "[::1]",
                "0:0:0:0:0:0:0:1",
                "[0::1]",
                "::ffff:127.0.0.1",
                "db.localhost",
                "ip6-localhost")) {
            assertThat(of(app("a", use("postgres", host))).units().keySet())
                    .as(host)
                    .containsExactly("localhost:5432");
        }
        for (String other : List.of("127.0.0.2", "localhost.example.com", "1.2.3.256", "::2")) {
            assertThat(of(app("a", use("postgres", other))).units().keySet())
                    .as(other)
                    .doesNotContain("localhost:5432");
        }
    }

    @Test
    @DisplayName("units that are reached at the same address and port count together, whatever they are called")
    void sameAddress() {
        Topology topology = Topology.of(List.of(
                located(app("a", use("postgres", "db1")), "10.0.0.5", "10.0.0.6"),
                located(app("b", use("postgres", "primary.db")), "10.0.0.6"),
                located(app("c", use("postgres", "other")), "10.0.0.7"),
                located(app("d", use("postgres", "db1:5433")), "10.0.0.5")));

        assertThat(topology.unit("db1:5432").orElseThrow().sharers()).containsExactly("a", "b");
        assertThat(topology.unit("primary.db:5432").orElseThrow().sharers()).containsExactly("a", "b");
        assertThat(topology.unit("db1:5432").orElseThrow().sameAs()).containsExactly("primary.db:5432");
        assertThat(topology.unit("other:5432").orElseThrow().sharers()).containsExactly("c");
        assertThat(topology.unit("db1:5433").orElseThrow().sharers()).containsExactly("d");
        assertThat(topology.unitsOf("b")).containsExactly("primary.db:5432", "db1:5432");
    }

    private static App located(Registration registration, String... addresses) {
        CheckedApp checked = CheckedApp.check(registration, Set.of(), new ArrayList<>());
        java.util.Map<String, List<String>> known = new java.util.TreeMap<>();
        checked.names().forEach(name -> known.put(name, List.of(addresses)));
        return checked.at(known).next(Optional.empty());
    }

    @Test
    @DisplayName("each type has its usual port")
    void usualPorts() {
        assertThat(of(app(
                                "a",
                                use("postgres", "h"),
                                use("neo4j", "h"),
                                use("mysql", "h"),
                                use("mongo", "h"),
                                use("redis", "h")))
                        .units()
                        .keySet())
                .containsExactlyInAnyOrder("h:5432", "h:7687", "h:3306", "h:27017", "h:6379");
    }

    @Test
    @DisplayName("the instance id is preferred, and everything on one instance is one unit with several types")
    void instancePreferred() {
        Topology topology =
                of(app("a", on("I-0ABC", "postgres", "db1")), app("b", on("i-0abc", "neo4j", "graph.internal")));
        assertThat(topology.units().keySet()).containsExactly("i-0abc");
        assertThat(topology.units().get("i-0abc").types()).containsExactly("neo4j", "postgres");
        assertThat(topology.units().get("i-0abc").sharers()).containsExactly("a", "b");
    }

    @Test
    @DisplayName("who gives only the host shares with who also knows its instance, whatever the order and the port")
    void aliasesJoined() {
        Registration knows = app("a", on("i-1", "postgres", "db1:5432"));
        Registration hostOnly = app("b", use("postgres", "DB1"));
        Registration otherPort = app("c", use("neo4j", "db1:7687"));
        for (Topology topology : List.of(of(knows, hostOnly, otherPort), of(otherPort, hostOnly, knows))) {
            assertThat(topology.units().keySet()).containsExactly("i-1");
            assertThat(topology.units().get("i-1").sharers()).containsExactly("a", "b", "c");
        }
    }

    @Test
    @DisplayName("who may be on either of two instances counts on both, and cannot be stopped itself")
    void doubtfulCountsOnBoth() {
        Topology topology = of(
                app("a", on("i-1", "postgres", "proxy:5432")),
                app("b", on("i-2", "postgres", "proxy:5433")),
                app("c", use("postgres", "proxy:5434")));
        assertThat(topology.units().get("i-1").sharers()).containsExactly("a", "c");
        assertThat(topology.units().get("i-2").sharers()).containsExactly("b", "c");
        assertThat(topology.units().get("proxy:5434").problems()).anyMatch(text -> text.contains("i-1 or i-2"));
    }

    @Test
    @DisplayName("one place on two instances is a contradiction, and blocks both")
    void contradiction() {
        Topology topology = of(app("a", on("i-1", "postgres", "db1")), app("b", on("i-2", "postgres", "db1")));
        assertThat(topology.units().get("i-1").problems()).isNotEmpty();
        assertThat(topology.units().get("i-2").problems()).isNotEmpty();
    }

    @Test
    @DisplayName(
            "a database with no canonical identifier is a unit of its own that says so, and its app counts on its host")
    void noIdentifier() {
        Topology topology = of(
                app("a", use("homegrown", "db1")),
                app("b", use("postgres", "db1")),
                app("c", new Registration.Use("postgres", Optional.empty(), Optional.empty(), Optional.empty())));
        assertThat(topology.units().get("db1").problems()).anyMatch(text -> text.contains("no canonical identifier"));
        assertThat(topology.units().get("db1:5432").sharers()).containsExactly("a", "b");
        assertThat(topology.units().get("db1:5432").problems()).isEmpty();
        assertThat(topology.units().get("unidentified-c-postgres").problems()).isNotEmpty();
    }

    @Test
    @DisplayName("different actuators for one unit block it")
    void differentActuators() {
        Topology topology = of(
                app("a", new Registration.Use("postgres", Optional.of("db1"), Optional.empty(), Optional.of("x"))),
                app("b", new Registration.Use("postgres", Optional.of("db1"), Optional.empty(), Optional.of("y"))));
        assertThat(topology.units().get("db1:5432").problems()).anyMatch(text -> text.contains("x, y"));
    }

    @Test
    @DisplayName("everything that is wrong with a registration is named at once, without a password")
    void allProblemsAtOnce() {
        List<String> problems = new ArrayList<>();
        CheckedApp.check(
                new Registration(
                        "no spaces",
                        "ftp://x/",
                        List.of(
                                use("post gres", "db1:99999"),
                                new Registration.Use(
                                        "redis", Optional.empty(), Optional.of("i 1"), Optional.of("gone"))),
                        Optional.of("asleep")),
                Set.of("log"),
                problems);
        assertThat(problems).hasSize(7);
        assertThat(problems)
                .anyMatch(text -> text.contains("actuator 'gone' is not configured") && text.contains("log"));

        problems.clear();
        CheckedApp.check(new Registration("a", "http://me:secret@x/", List.of(), Optional.empty()), Set.of(), problems);
        assertThat(problems).hasSize(1).noneMatch(text -> text.contains("secret"));
        for (String url :
                List.of("", "http://", "http:///x", "nonsense", "http://a b/", "http://h:70000/", "http://[")) {
            problems.clear();
            CheckedApp.check(new Registration("a", url, List.of(), Optional.empty()), Set.of(), problems);
            assertThat(problems).as(url).hasSize(1);
        }
    }

    @Test
    @DisplayName("hosts that are none are refused")
    void badHosts() {
        for (String host : List.of(
                "",
                " ",
                "a b",
                "db1:0",
                "db1:65536",
                "db1:x",
                "a..b",
                "-x",
                "[::1",
                "1:2:3",
                "a/b",
                "postgres://db1")) {
            assertThat(Identifiers.place(host)).as(host).isEmpty();
        }
    }

    private static Topology of(Registration... registrations) {
        List<App> apps = new ArrayList<>();
        for (Registration one : registrations) {
            List<String> problems = new ArrayList<>();
            apps.add(CheckedApp.check(one, Set.of("x", "y"), problems).next(Optional.empty()));
            assertThat(problems).isEmpty();
        }
        return Topology.of(apps);
    }

    private static Registration app(String name, Registration.Use... uses) {
        return new Registration(name, "http://" + name + "/", List.of(uses), Optional.empty());
    }

    private static Registration.Use use(String type, String host) {
        return new Registration.Use(type, Optional.of(host), Optional.empty(), Optional.empty());
    }

    private static Registration.Use on(String instance, String type, String host) {
        return new Registration.Use(type, Optional.of(host), Optional.of(instance), Optional.empty());
    }
}
