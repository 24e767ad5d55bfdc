import { areAllDigits, areAllSame, letter } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isRut(v: Uint8Array, length: number): boolean {
  if (!areAllDigits(v, 0, length - 1) || areAllSame(v, 0, length - 1)) return false;
  let sum = 0;
  for (let i = length - 2, weight = 2; i >= 0; i--, weight = weight === 7 ? 2 : weight + 1)
    sum += (v[i] as number) * weight;
  const check = 11 - (sum % 11);
  return (check === 11 ? 0 : check === 10 ? letter('K') : check) === v[length - 1];
}

export const country: Country = {
  code: 'CL',
  adjectives: ['chilean'],
  words:
    'chile chileno chilena sii fonasa isapre afp previred minsal servel sence mineduc junaeb chileatiende webpay transbank bancoestado valparaíso temuco clp',
  schemes: [
    {
      scheme: 'cl_rut',
      name: 'RUT / RUN',
      pattern: '99.999.999-X, 99999999-X, X a digit or K',
      checksum: 'weights 2 to 7, modulo 11',
      context: 'not needed when dotted; needed otherwise',
      labels: {
        'Microsoft Purview': ['rut', 'rol único tributario', 'rol único nacional', 'r.u.n.', 'cédula de identidad'],
        unsourced: [
          'run paciente',
          'run del paciente',
          'run alumno',
          'run del alumno',
          'run trabajador',
          'run del trabajador',
          'run titular',
          'run del titular',
          'run cliente',
          'run persona',
          'run beneficiario',
          'run estudiante',
          'run funcionario',
          'número run',
          'nro run',
        ],
      },
      ambiguousLabels: { 'Microsoft Purview': ['run'], unsourced: ['run n°', 'run no', 'cédula'] },
      source: 'Servicio de Registro Civil e Identificación',
      check: isRut,
      anyCase: true,
      shapes: {
        free: ['2.3.3-1', '2.3.3-1a', '1.3.3-1', '1.3.3-1a'],
        keyword: ['8-1', '8-1a', '7-1', '7-1a', '9x', '8x'],
        own: ['9', '8'],
      },
    },
  ],
};
