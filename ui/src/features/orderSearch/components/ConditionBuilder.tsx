import { Button, Checkbox, HTMLSelect } from '@blueprintjs/core';
import { useEffect, useRef } from 'react';

import { FormField } from '../../../components/fields/FormField';
import { SelectField } from '../../../components/fields/SelectField';
import { SegmentField } from '../../../components/filters/SegmentField';
import { AddIcon, DuplicateIcon, TrashIcon } from '../../../components/icons';
import { limits } from '../../../contract';
import {
  addNode,
  changeColumn,
  changeOperator,
  copyNode,
  createGroup,
  createRule,
  getOperatorLabel,
  isGroup,
  listRules,
  replaceNode,
  type Columns,
  type GroupNode,
  type RuleErrors,
  type RuleNode,
  type SearchColumn,
  type SearchNode,
} from '../conditions';
import { ResultTestPicker, ValueEditor } from './ValueEditor';
import styles from './orderSearch.module.css';

interface BuilderProps {
  root: GroupNode;
  columns: Columns;
  errors: RuleErrors;
  onChange: (root: GroupNode) => void;
}

interface EditingProps extends Omit<BuilderProps, 'root'> {
  root: GroupNode;
  /** Changes the tree, and then focuses a node or the Add button of a group. */
  apply: (root: GroupNode, focus: string) => void;
}

const COMBINATORS = [
  { value: 'and', label: 'All' },
  { value: 'or', label: 'Any' },
];

/** Conditions in groups: every control is a field or a button, and the focus follows each change. */
export function ConditionBuilder(props: BuilderProps) {
  const frame = useRef<HTMLDivElement>(null);
  const nextFocus = useRef<string | null>(null);
  useEffect(() => {
    if (nextFocus.current === null) return;
    frame.current?.querySelector<HTMLElement>(`[data-node="${nextFocus.current}"]`)?.focus();
    nextFocus.current = null;
  });
  const apply = (root: GroupNode, focus: string) => {
    nextFocus.current = focus;
    props.onChange(root);
  };
  return (
    <div ref={frame} className={styles['builder']}>
      <GroupEditor {...props} apply={apply} group={props.root} depth={1} number="" />
    </div>
  );
}

interface GroupEditorProps extends EditingProps {
  group: GroupNode;
  depth: number;
  /** '2.1' for the first member of the second member; '' for the whole. */
  number: string;
}

const getAddKey = (group: GroupNode) => `add-${group.key}`;

function GroupEditor({ group, depth, number, ...editing }: GroupEditorProps) {
  const { root, columns, errors, onChange, apply } = editing;
  const change = (values: Partial<GroupNode>) =>
    onChange(replaceNode(root, group.key, () => ({ ...group, ...values })));
  const isFull = listRules(root).length >= limits.SEARCH_RULES_MAX;
  const [firstColumn] = [...columns.values()].filter(({ operators }) => operators.length > 0);
  const add = (node: SearchNode) => {
    const rule = listRules(node)[0];
    apply(addNode(root, group.key, node), rule?.key ?? getAddKey(group));
  };
  const name = number === '' ? 'Conditions' : `Group ${number}`;
  const error = errors[group.key];
  return (
    <fieldset className={styles['group']} data-depth={depth}>
      <legend className="visually-hidden">{name}</legend>
      <div className={styles['groupHead']}>
        <SegmentField
          label={`${name}: how many must be met`}
          value={group.combinator}
          options={COMBINATORS}
          onChange={(combinator) => change({ combinator: combinator === 'or' ? 'or' : 'and' })}
        />
        <span className="quiet">of these are met</span>
        <Checkbox
          className={styles['not'] ?? ''}
          checked={group.not}
          label="Not"
          aria-label={`${name}: not`}
          onChange={({ currentTarget }) => change({ not: currentTarget.checked })}
        />
        {number === '' ? null : (
          <MemberButtons
            {...editing}
            node={group}
            parent={findParent(root, group.key)}
            name={name}
            canCopy={depth <= limits.SEARCH_DEPTH_MAX && !isFull}
          />
        )}
      </div>
      {error ? (
        <div role="alert" className={styles['error']}>
          {error.message}
        </div>
      ) : null}
      {group.rules.map((node, index) => {
        const memberNumber = number === '' ? String(index + 1) : `${number}.${index + 1}`;
        return isGroup(node) ? (
          <GroupEditor
            {...editing}
            key={node.key}
            group={node}
            depth={depth + 1}
            number={memberNumber}
          />
        ) : (
          <RuleEditor
            {...editing}
            key={node.key}
            rule={node}
            group={group}
            number={memberNumber}
            isFull={isFull}
          />
        );
      })}
      <div className={styles['adding']}>
        <Button
          size="small"
          icon={<AddIcon />}
          data-node={getAddKey(group)}
          aria-label={number === '' ? 'Add condition' : `Add condition to ${name}`}
          disabled={isFull}
          onClick={() => firstColumn && add(createRule(firstColumn))}
        >
          Add condition
        </Button>
        {depth < limits.SEARCH_DEPTH_MAX ? (
          <Button
            size="small"
            variant="minimal"
            icon={<AddIcon />}
            aria-label={number === '' ? 'Add group' : `Add group to ${name}`}
            disabled={isFull}
            onClick={() => firstColumn && add(createGroup([createRule(firstColumn)]))}
          >
            Add group
          </Button>
        ) : null}
      </div>
    </fieldset>
  );
}

/** Returns the group that contains the node with this key; `group` itself if none does. */
function findParent(group: GroupNode, key: string): GroupNode {
  for (const node of group.rules) {
    if (node.key === key) return group;
    if (isGroup(node)) {
      const parent = findParent(node, key);
      if (parent.rules.some((member) => member.key === key)) return parent;
    }
  }
  return group;
}

interface MemberButtonsProps extends EditingProps {
  node: SearchNode;
  parent: GroupNode;
  name: string;
  canCopy: boolean;
}

/** Duplicates or removes a condition or a group. */
function MemberButtons({ root, node, parent, name, canCopy, apply }: MemberButtonsProps) {
  const duplicate = () => {
    const copy = copyNode(node);
    apply(
      replaceNode(root, node.key, () => [node, copy]),
      listRules(copy)[0]?.key ?? getAddKey(parent),
    );
  };
  const remove = () => {
    const index = parent.rules.indexOf(node);
    const neighbor = parent.rules[index + 1] ?? parent.rules[index - 1];
    const rule = neighbor ? listRules(neighbor)[0] : undefined;
    apply(
      replaceNode(root, node.key, () => null),
      rule?.key ?? getAddKey(parent),
    );
  };
  return (
    <div className={styles['memberButtons']}>
      <Button
        variant="minimal"
        icon={<DuplicateIcon />}
        aria-label={`Duplicate ${name}`}
        title="Duplicate"
        disabled={!canCopy}
        onClick={duplicate}
      />
      <Button
        variant="minimal"
        icon={<TrashIcon />}
        aria-label={`Remove ${name}`}
        title="Remove"
        onClick={remove}
      />
    </div>
  );
}

interface RuleEditorProps extends EditingProps {
  rule: RuleNode;
  group: GroupNode;
  number: string;
  isFull: boolean;
}

function RuleEditor({ rule, group, number, isFull, ...editing }: RuleEditorProps) {
  const { root, columns, errors, onChange } = editing;
  const column = columns.get(rule.field);
  const name = `Condition ${number}`;
  const error = errors[rule.key];
  const findError = (part: string) => (error?.part === part ? error.message : undefined);
  const replace = (next: RuleNode) => onChange(replaceNode(root, rule.key, () => next));
  return (
    <div role="group" aria-label={name} className={styles['rule']}>
      <ColumnField
        name={name}
        rule={rule}
        columns={columns}
        error={findError('field')}
        onChange={(next) => replace(changeColumn(rule, next, columns))}
      />
      {column === undefined ? null : (
        <>
          {column.needsTest ? (
            <ResultTestPicker
              value={rule.test}
              error={findError('test')}
              onChange={(test) => replace({ ...rule, test })}
            />
          ) : null}
          {column.needsAntibiotic ? (
            <SelectField
              label="Antibiotic"
              hideLabel
              value={rule.antibiotic ?? ''}
              placeholder="Antibiotic"
              error={findError('antibiotic')}
              options={column.antibiotics}
              onChange={(antibiotic) =>
                replace({ ...rule, antibiotic: antibiotic === '' ? null : antibiotic })
              }
            />
          ) : null}
          <SelectField
            label={`Comparison of ${column.label}`}
            hideLabel
            className={styles['operator']}
            value={rule.operator}
            error={findError('operator')}
            options={column.operators.map((operator) => ({
              value: operator,
              label: getOperatorLabel(column, operator),
            }))}
            onChange={(operator) => replace(changeOperator(rule, operator, columns))}
          />
          <div className={styles['value']}>
            <ValueEditor
              rule={rule}
              column={column}
              error={findError('value') ?? (error?.part === null ? error.message : undefined)}
              onChange={(value) => replace({ ...rule, value })}
            />
          </div>
        </>
      )}
      <MemberButtons {...editing} node={rule} parent={group} name={name} canCopy={!isFull} />
    </div>
  );
}

interface ColumnFieldProps {
  name: string;
  rule: RuleNode;
  columns: Columns;
  error: string | undefined;
  onChange: (column: SearchColumn) => void;
}

function ColumnField({ name, rule, columns, error, onChange }: ColumnFieldProps) {
  const searchableColumns = [...columns.values()].filter(({ operators }) => operators.length > 0);
  const groups = [...new Set(searchableColumns.map(({ group }) => group))];
  return (
    <FormField label={`Column of ${name}`} hideLabel error={error} className={styles['column']}>
      {(input) => (
        <HTMLSelect
          {...input}
          fill
          iconName="caret-down"
          data-node={rule.key}
          value={rule.field}
          onChange={({ currentTarget }) => {
            const next = columns.get(currentTarget.value);
            if (next) onChange(next);
          }}
        >
          {columns.has(rule.field) ? null : <option value={rule.field}>{rule.field}</option>}
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              {searchableColumns
                .filter((column) => column.group === group)
                .map((column) => (
                  <option key={column.name} value={column.name}>
                    {column.label}
                  </option>
                ))}
            </optgroup>
          ))}
        </HTMLSelect>
      )}
    </FormField>
  );
}
