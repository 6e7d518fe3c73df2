package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;

@DisplayName("An application does not start")
class WithLockStartTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
            .withPropertyValues("holdfast.url=memory:");

    /** What ends the start of an application with a bean of this class, as Spring Boot shows it. */
    private AbstractStringAssert<?> problemOf(Class<?> bean) {
        String[] told = new String[1];
        application.withUserConfiguration(bean).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis shown = new HoldfastFailureAnalyzer().analyze(context.getStartupFailure());
            told[0] = shown.getDescription();
            assertThat(shown.getAction()).isNotBlank().endsWith(".");
        });
        return assertThat(told[0]).startsWith("@WithLock cannot work here: " + bean.getSimpleName() + ".run() ");
    }

    static class Private {
        @WithLock(name = "a")
        @SuppressWarnings("UnusedMethod")
        private void run() {}
    }

    static class Static {
        @WithLock(name = "a")
        static void run() {}
    }

    static class Final {
        @WithLock(name = "a")
        final void run() {}
    }

    static final class FinalClass {
        @WithLock(name = "a")
        void run() {}
    }

    record Values() {
        @WithLock(name = "a")
        public void run() {}
    }

    @Test
    @DisplayName("with a method that cannot be called through its bean")
    void notProxied() {
        problemOf(Private.class).contains("is private");
        problemOf(Static.class).contains("is static");
        problemOf(Final.class).contains("is final");
        problemOf(FinalClass.class).contains("is in a final class");
        problemOf(Values.class).contains("is in a final class");
    }

    static class ByInterface implements Supplier<String> {
        @WithLock(name = "a")
        void run() {}

        @Override
        public String get() {
            return "";
        }
    }

    /** As a transaction or a cache would, where Spring is told to use interfaces. */
    static class InterfaceProxies implements BeanPostProcessor, Ordered {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof ByInterface ? new ProxyFactory(bean).getProxy() : bean;
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Test
    @DisplayName("with a method that is not in the interfaces through which alone its bean is called")
    void notInInterface() {
        application
                .withUserConfiguration(ByInterface.class, InterfaceProxies.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("ByInterface.run() is in none of the interfaces of its class"));
    }

    static class Unclosed {
        @WithLock(name = "a-{#key")
        void run(String key) {}
    }

    static class Unreadable {
        @WithLock(name = "a-{#key +}")
        void run(String key) {}
    }

    static class Unknown {
        @WithLock(name = "a-{#kee}")
        void run(String key) {}
    }

    static class UnknownInPath {
        @WithLock(name = "a", path = "{#key.length()}/{#other}")
        void run(String key) {}
    }

    static class Empty {
        @WithLock(name = "")
        void run() {}
    }

    static class OddPath {
        @WithLock(name = "a", path = "x//y")
        void run() {}
    }

    static class OddNamespace {
        @WithLock(name = "{#key}", namespace = "no namespace")
        void run(String key) {}
    }

    @Test
    @DisplayName("with a name that cannot be parsed, is none, or names a parameter that is not there")
    void names() {
        problemOf(Unclosed.class).contains("'a-{#key' cannot be parsed");
        problemOf(Unreadable.class).contains("'a-{#key +}' cannot be parsed");
        problemOf(Unknown.class).contains("names #kee, but the method has no such parameter; it has [key]");
        problemOf(UnknownInPath.class).contains("names #other");
        problemOf(Empty.class).contains("lock name");
        problemOf(OddPath.class).contains("lock path");
        problemOf(OddNamespace.class).contains("namespace");
    }

    static class Primitive {
        @WithLock(name = "a", onBusy = OnBusy.SKIP)
        int run() {
            return 0;
        }
    }

    static class Later {
        @WithLock(name = "a")
        Future<String> run() {
            return null;
        }
    }

    static class Reactive {
        @WithLock(name = "a")
        Flow.Publisher<String> run() {
            return null;
        }
    }

    static class Lazy {
        @WithLock(name = "a")
        Stream<String> run() {
            return Stream.of();
        }
    }

    @Test
    @DisplayName("with a method that has nothing to return when it is skipped, or whose end is not known")
    void results() {
        problemOf(Primitive.class).contains("onBusy = SKIP has nothing to return");
        problemOf(Later.class).contains("returns Future, whose work goes on after the method");
        problemOf(Reactive.class).contains("returns Flow.Publisher, whose work goes on");
        problemOf(Lazy.class).contains("returns Stream, whose work goes on");
    }

    static class Times {
        @WithLock(name = "a", lease = "2d", waitUpTo = "soon", minHold = "-1s")
        Optional<String> run() {
            return Optional.empty();
        }
    }

    @Test
    @DisplayName("with times that are none, and tells all that is wrong")
    void times() {
        problemOf(Times.class)
                .contains("lease 'PT48H' must be between PT0.1S and PT24H")
                .contains("waitUpTo 'soon' is not a duration; try 30s or 5m")
                .contains("minHold 'PT-1S' must be between PT0S and PT24H");
    }

    static class Several {
        @WithLock(name = "")
        void first() {}

        @WithLock(name = "a")
        final void second() {}
    }

    @Test
    @DisplayName("with several such methods, and tells of each in a line of its own")
    void several() {
        application.withUserConfiguration(Several.class).run(context -> {
            FailureAnalysis shown = new HoldfastFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(shown.getDescription())
                    .startsWith("@WithLock cannot work here:\n    - Several.")
                    .contains("\n    - Several.first() has an annotation that is wrong: lock name")
                    .contains("\n    - Several.second() is final");
        });
    }

    static class Fine {
        @WithLock(name = "a-{#p0}", waitUpTo = "forever", lease = "PT2M", minHold = "10s")
        Integer run(String key) {
            return 1;
        }
    }

    @Test
    @DisplayName("only then")
    void fine() {
        application
                .withUserConfiguration(Fine.class)
                .run(context -> assertThat(context.getBean(Fine.class).run("x")).isEqualTo(1));
    }
}
