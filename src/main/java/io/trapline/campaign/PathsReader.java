package io.trapline.campaign;

import io.trapline.host.Method;
import io.trapline.host.Method.Altstack;
import io.trapline.host.Method.Attach;
import io.trapline.host.Method.Call;
import io.trapline.host.Method.Scope;
import io.trapline.host.Workload;
import io.trapline.host.guest.GuestSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the paths, and sees to it that a comparison of any two of them can say something. */
final class PathsReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    /** A path that was read without a problem. */
    private record Read(Campaign.Path path, Value value) {}

    private final Section spec;
    private final GuestReader guests;
    private final Problems problems;
    private final Map<String, Value> named = new LinkedHashMap<>();

    PathsReader(Section spec, GuestReader guests, Problems problems) {
        this.guests = guests;
        this.spec = spec;
        this.problems = problems;
    }

    /**
     * The paths that have nothing wrong.
     *
     * @param workloads those of the campaign, which tell what a difference touches
     */
    List<Campaign.Path> read(List<Workload> workloads) {
        Method common = method(spec, Method.DEFAULT);
        List<Value> items = spec.required("paths", "[{name: locked, attach: {scope: pid}}, {name: lockless}]", v -> {
                    List<Value> paths = v.items();
                    if (paths.size() == 1) {
                        v.refuse("has one path; a comparison needs two or more", "add the path to compare it with");
                    }
                    return Optional.of(paths);
                })
                .orElse(List.of());
        List<Read> read = new ArrayList<>();
        for (Value item : items) {
            path(item, common).ifPresent(path -> read.add(new Read(path, item)));
        }
        checkDifferences(read, workloads);
        return read.stream().map(Read::path).toList();
    }

    /** Where each path begins, by its name. */
    Map<String, String> places() {
        return named.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, e -> problems.spell(e.getValue().place())));
    }

    private Optional<Campaign.Path> path(Value item, Method common) {
        int before = problems.count();
        Section section = Section.of(item, Keys.PATH, problems);
        Optional<String> name = section.required("name", "lockless", value -> name(value, item));
        Method method = method(section, common);
        Optional<Selector> select = section.optional("hosts", SelectorReader::ofPath);
        Optional<GuestSpec> guest = guests.read(section, item, name);
        if (name.filter(guests::isGivenBeside).isPresent()) {
            select = Optional.empty(); // it was about where to find such a kernel
        }
        return problems.count() == before
                ? Optional.of(new Campaign.Path(name.orElseThrow(), method, select, guest))
                : Optional.empty();
    }

    private Optional<String> name(Value value, Value path) {
        Optional<String> read = value.text();
        if (read.isEmpty()) {
            return read;
        }
        if (!NAME.matcher(read.get()).matches()) {
            value.refuse("is " + Quoted.of(read.get())
                    + "; allowed are letters, digits, and . _ - between them, at most 63 in all");
        }
        Value first = named.putIfAbsent(read.get(), path);
        if (first != null) {
            value.refuse(
                    "is " + Quoted.of(read.get()) + ", as is that of the path at " + problems.spell(first.place()),
                    "give each path its own name");
        }
        return read;
    }

    /** What the section says; where it says nothing or something wrong, the other method's choice. */
    private static Method method(Section section, Method otherwise) {
        Section attach = section.section("attach", Keys.ATTACH);
        Section variant = section.section("variant", Keys.VARIANT);
        return new Method(
                attach.optional("with", v -> v.choice(Attach.class)).orElse(otherwise.attach()),
                attach.optional("scope", v -> v.choice(Scope.class)).orElse(otherwise.scope()),
                variant.optional("altstack", v -> v.choice(Altstack.class)).orElse(otherwise.altstack()),
                variant.optional("call", v -> v.choice(Call.class)).orElse(otherwise.call()));
    }

    /** Two paths that do the same on the same hosts would be compared for nothing. */
    private void checkDifferences(List<Read> paths, List<Workload> workloads) {
        Map<Object, Read> byEffect = new LinkedHashMap<>();
        for (Read one : paths) {
            Read first = byEffect.putIfAbsent(PathEffect.of(one.path(), workloads), one);
            if (first == null) {
                continue;
            }
            String both = "path " + one.path().name() + " does the same as path "
                    + first.path().name() + " at "
                    + problems.spell(first.value().place());
            if (first.path().method().equals(one.path().method())) {
                problems.add(
                        one.value().place(),
                        both + ": neither attach nor variant nor kernel nor hosts differ",
                        "change attach.scope, attach.with, variant.altstack, variant.call, kernel or hosts.select");
            } else {
                problems.add(
                        one.value().place(),
                        both + ": they differ in "
                                + String.join(
                                        " and ",
                                        PathEffect.differences(
                                                one.path().method(),
                                                first.path().method()))
                                + ", which no workload of this campaign looks at",
                        "probes look at attach, signals at variant.call, signal-altstack at variant.altstack too");
            }
        }
    }
}
